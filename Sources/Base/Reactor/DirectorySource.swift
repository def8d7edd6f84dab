// SPDX-License-Identifier: MIT
import CLinux
import CSystemd

/// Watches the entries of one directory; not of the directories in it.
@LoopActor
package final class DirectorySource {
    package typealias Handler = @LoopActor (DirectoryEvent) -> Void

    private let registration: DirectoryRegistration

    package init(path: String, mask: DirectoryEvents, onEvent: @escaping Handler) throws(ReactorError) {
        registration = DirectoryRegistration(onEvent)
        try registration.attach("watch directory \(path)") { source, userdata in
            sd_event_add_inotify(
                EventLoop.shared.event, source, path, mask.rawValue | UInt32(IN_ONLYDIR),
                { _, event, userdata in DirectoryRegistration.fire(userdata, event) }, userdata)
        }
    }

    deinit { registration.retire() }

    /// Stops watching and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}

/// The registration of a `DirectorySource`.
@LoopActor
final class DirectoryRegistration: Registration {
    private var handler: DirectorySource.Handler?

    init(_ handler: @escaping DirectorySource.Handler) { self.handler = handler }

    override func dropHandler() { handler = nil }

    nonisolated static func fire(
        _ userdata: UnsafeMutableRawPointer?, _ event: UnsafePointer<inotify_event>?
    ) -> Int32 {
        guard let userdata, let event else { return 0 }
        // The pointer comes from `attach`, whose retain keeps it valid until `cancel`; from there on there is no event.
        let registration = Unmanaged<DirectoryRegistration>.fromOpaque(userdata).takeUnretainedValue()
        let change = DirectoryEvent(kinds: DirectoryEvents(rawValue: event.pointee.mask), name: name(of: event))
        LoopActor.assumeIsolated { registration.handler?(change) }
        return 0
    }

    /// The name lies behind the structure, padded with NULs: inotify(7). A name that is not UTF-8 gets replacement
    /// characters, and so names no file.
    private nonisolated static func name(of event: UnsafePointer<inotify_event>) -> String {
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size, count: Int(event.pointee.len))
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Watches the entries of one directory, but not those of the directories in it.
@LoopActor
package final class DirectorySource {
    package typealias Handler = @LoopActor (DirectoryEvent) -> Void

    private let queue: DirectoryEventQueue
    private let watch: DirectoryEventQueue.Watch

    package init(path: String, mask: DirectoryEvents, onEvent: @escaping Handler) throws(ReactorError) {
        queue = try EventLoop.shared.directoryEvents(for: "watch directory \(path)")
        watch = try queue.watch(path, mask, onEvent)
    }

    deinit {
        let (queue, watch) = (queue, watch)
        LoopActor.run { queue.cancel(watch) }
    }

    /// Stops watching and releases the handler. Idempotent, and safe within the handler.
    package func cancel() { queue.cancel(watch) }
}

/// The process's one inotify(7) instance, which all `DirectorySource`s share.
///
/// sd-event delivers one inotify event in each round of the loop, and all other sources between two of them: when
/// 20,000 files are removed, the loop would start thousands of programs before it heard of the last removal. This queue
/// reads a thousand events in a round.
@LoopActor
final class DirectoryEventQueue {
    @LoopActor
    final class Watch {
        fileprivate let descriptor: Int32
        fileprivate let mask: DirectoryEvents
        fileprivate var handler: DirectorySource.Handler?

        fileprivate init(_ descriptor: Int32, _ mask: DirectoryEvents, _ handler: @escaping DirectorySource.Handler) {
            self.descriptor = descriptor
            self.mask = mask
            self.handler = handler
        }

        /// The kernel reports these three to every watch, and every handler needs them.
        fileprivate func deliver(_ event: DirectoryEvent) {
            let wanted = mask.union([.ended, .unmounted, .overflow])
            if !event.kinds.isDisjoint(with: wanted) { handler?(event) }
        }
    }

    private static let bufferSize = 65_536

    private let inotify: OwnedDescriptor
    private var source: IOSource?
    /// By watch descriptor. The kernel gives a directory one descriptor, even if several paths to it are watched.
    private var watches: [Int32: [Watch]] = [:]
    private var buffer = [UInt8](repeating: 0, count: bufferSize)

    init() throws(ReactorError) {
        let descriptor = try checkErrno(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)), "create an inotify instance")
        inotify = OwnedDescriptor(adopting: descriptor)
        source = try IOSource(descriptor: descriptor, events: .readable) { [unowned self] _ in readEvents() }
    }

    func watch(
        _ path: String, _ mask: DirectoryEvents, _ handler: @escaping DirectorySource.Handler
    ) throws(ReactorError) -> Watch {
        let wanted = mask.rawValue | UInt32(bitPattern: IN_ONLYDIR) | UInt32(bitPattern: IN_MASK_ADD)
        let descriptor = try checkErrno(inotify_add_watch(inotify.number, path, wanted), "watch directory \(path)")
        let watch = Watch(descriptor, mask, handler)
        watches[descriptor, default: []].append(watch)
        return watch
    }

    func cancel(_ watch: Watch) {
        watch.handler = nil
        guard var others = watches[watch.descriptor], let place = others.firstIndex(where: { $0 === watch }) else {
            return
        }
        others.remove(at: place)
        watches[watch.descriptor] = others.isEmpty ? nil : others
        if others.isEmpty { inotify_rm_watch(inotify.number, watch.descriptor) }
    }

    /// One read returns a thousand events and more. The next round reads the rest, after all other sources.
    private func readEvents() {
        let count = read(inotify.number, &buffer, buffer.count)
        guard count > 0 else { return }
        for (descriptor, event) in Self.events(in: buffer[..<count]) {
            deliver(event, to: descriptor)
            if EventLoop.shared.isExiting { return }
        }
    }

    private func deliver(_ event: DirectoryEvent, to descriptor: Int32) {
        // An overflow names no directory, so it concerns all watches.
        let concerned = event.kinds.contains(.overflow) ? watches.values.flatMap { $0 } : watches[descriptor] ?? []
        // The kernel has ended the watch and does not reuse its number.
        if event.kinds.contains(.ended) { watches[descriptor] = nil }
        for watch in concerned { watch.deliver(event) }
    }

    /// Each event is a structure of 16 bytes, which has the length of the name after it; NULs pad the name
    /// (inotify(7)). A name that is not UTF-8 gets replacement characters, and then names no file.
    private static func events(in bytes: ArraySlice<UInt8>) -> [(descriptor: Int32, event: DirectoryEvent)] {
        var events: [(Int32, DirectoryEvent)] = []
        let size = MemoryLayout<inotify_event>.size
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + size <= bytes.count {
                // Unsafe: the kernel writes whole structures.
                let head = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = bytes[(offset + size)..<(offset + size + Int(head.len))].prefix { $0 != 0 }
                events.append(
                    (
                        head.wd,
                        DirectoryEvent(kinds: .init(rawValue: head.mask), name: String(decoding: name, as: UTF8.self))
                    ))
                offset += size + Int(head.len)
            }
        }
        return events
    }
}

/// What can happen in and to a directory: inotify(7).
package struct DirectoryEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ flag: Int32) { rawValue = UInt32(bitPattern: flag) }

    package static let created = DirectoryEvents(IN_CREATE)
    package static let deleted = DirectoryEvents(IN_DELETE)
    package static let movedFrom = DirectoryEvents(IN_MOVED_FROM)
    package static let movedTo = DirectoryEvents(IN_MOVED_TO)
    package static let closedAfterWriting = DirectoryEvents(IN_CLOSE_WRITE)
    package static let attributesChanged = DirectoryEvents(IN_ATTRIB)
    /// The directory itself was deleted.
    package static let selfDeleted = DirectoryEvents(IN_DELETE_SELF)
    package static let selfMoved = DirectoryEvents(IN_MOVE_SELF)

    /// The entry is a directory. The kernel reports it always.
    package static let isDirectory = DirectoryEvents(rawValue: UInt32(IN_ISDIR))
    /// Events were lost, so the reader must list the directory again. The kernel reports it always.
    package static let overflow = DirectoryEvents(IN_Q_OVERFLOW)
    /// The watch has ended, because the directory or its file system is gone. The kernel reports it always.
    package static let ended = DirectoryEvents(IN_IGNORED)
    package static let unmounted = DirectoryEvents(IN_UNMOUNT)

    /// All events after which the directory may list other names, or a name may have other contents.
    package static let entryChanges: DirectoryEvents = [
        .created, .deleted, .movedFrom, .movedTo, .closedAfterWriting, .attributesChanged, .selfDeleted, .selfMoved,
    ]
}

/// One change in a watched directory.
package struct DirectoryEvent: Sendable, Equatable {
    package let kinds: DirectoryEvents
    /// The entry's name; empty for the directory itself.
    package let name: String

    package init(kinds: DirectoryEvents, name: String) {
        self.kinds = kinds
        self.name = name
    }
}

// SPDX-License-Identifier: MIT

import Files
import Glibc
import Platform
import TodayModel
import Varlink

/// A request to show another summary of a widget. A bar starts a program for a click, and that program is not the one that
/// shows the widget, so it sends the request to all bars of the user.
struct PageTurn: Equatable {
    let widget: WidgetID
    let isForward: Bool

    init(_ widget: WidgetID, isForward: Bool) {
        self.widget = widget
        self.isForward = isForward
    }

    /// `next org.todayd.disk`
    init?(_ bytes: ArraySlice<UInt8>) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let widget = WidgetID(String(words[1])) else { return nil }
        switch ClickDeed(rawValue: String(words[0])) {
        case .next?: self.init(widget, isForward: true)
        case .previous?: self.init(widget, isForward: false)
        case .press?, .menu?, .update?, .toggle?, ClickDeed.none?, nil: return nil
        }
    }

    var steps: Int { isForward ? 1 : -1 }

    var bytes: [UInt8] {
        let deed = isForward ? ClickDeed.next : .previous
        return Array("\(deed.rawValue) \(widget.text)".utf8)
    }
}

/// The socket at which a bar receives the requests: one datagram each, in a directory that only the user can enter.
final class PageTurnSocket {
    private static let directory = "todayctl-bars"
    /// The most datagrams that the bar reads before it turns to other events.
    private static let mostAtOnce = 16
    /// Longer than the longest identifier.
    private static let mostBytes = 512

    let descriptor: Int32
    private let path: String

    /// - Returns: nil if there is no directory for it: then the wheel turns no page, and everything else works.
    init?(_ environment: EnvironmentVariables) {
        guard let base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/"), Paths.isDirectory(base),
            (try? Paths.makeOwnDirectory(Self.directory, in: base, mode: 0o700)) != nil
        else { return nil }
        Self.removeRefusing(in: environment)
        path = "\(base)/\(Self.directory)/\(getpid())"
        guard let address = UnixSocketAddress(path: path), let descriptor = Self.open() else { return nil }
        self.descriptor = descriptor
        // The socket of an earlier process with this number, which was killed.
        unlink(path)
        guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Those that have arrived.
    func received() -> [PageTurn] {
        var turns: [PageTurn] = []
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        for _ in 0..<Self.mostAtOnce {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { break }
            if let turn = PageTurn(bytes.prefix(count)) { turns.append(turn) }
        }
        return turns
    }

    /// - Returns: how many bars there are. A bar whose socket is full is stopped, and misses the request.
    static func send(_ turn: PageTurn, in environment: EnvironmentVariables) -> Int {
        let bytes = turn.bytes
        return each(in: environment) { descriptor in
            Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count || errno == EAGAIN
        }
    }

    /// A bar that is killed leaves its socket behind.
    private static func removeRefusing(in environment: EnvironmentVariables) { _ = each(in: environment) { _ in true } }

    /// Connects to the socket of each bar, and removes those of bars that have ended.
    private static func each(in environment: EnvironmentVariables, _ body: (Int32) -> Bool) -> Int {
        guard let base = environment["XDG_RUNTIME_DIR"],
            let listing = try? DirectoryListing(of: "\(base)/\(directory)")
        else { return 0 }
        var count = 0
        for entry in listing.entries {
            let path = "\(base)/\(directory)/\(entry.name)"
            guard let address = UnixSocketAddress(path: path), let descriptor = open() else { continue }
            defer { close(descriptor) }
            if address.withSocketAddress({ connect(descriptor, $0, $1) }) != 0 {
                if errno == ECONNREFUSED { unlink(path) }
            } else if body(descriptor) {
                count += 1
            }
        }
        return count
    }

    /// Never waits, because a stopped bar reads nothing.
    private static func open() -> Int32? {
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        return descriptor < 0 ? nil : descriptor
    }
}

/// When a bar turns its summaries by itself.
struct PageTimer {
    private let interval: TimeSpan
    /// Nil while no summary has pages.
    private(set) var next: AwakeTime?

    init(_ interval: TimeSpan) { self.interval = interval }

    /// Whether the summaries turn now. Each is shown for a whole interval before the first turn.
    mutating func isDue(hasPages: Bool, at now: AwakeTime) -> Bool {
        guard hasPages else {
            next = nil
            return false
        }
        let isDue = next.map { $0 <= now } ?? false
        if isDue || next == nil { next = now + interval }
        return isDue
    }
}

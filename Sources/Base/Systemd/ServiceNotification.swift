// SPDX-License-Identifier: MIT
import CSystemd
import Reactor

/// What a service tells its manager about itself: sd_notify(3). Without a manager that asked for it, in NOTIFY_SOCKET,
/// nothing is sent.
package enum ServiceNotification {
    /// Whether a manager listens.
    package static var isWanted: Bool { environment("NOTIFY_SOCKET") != nil }

    /// The service is up and its sockets answer.
    @discardableResult
    package static func ready(status: String? = nil) -> Bool {
        send(["READY=1"] + statusLine(status))
    }

    /// The configuration is being read again; `ready` follows. The time tells the manager which of several reloads that
    /// end was the last to begin (`Type=notify-reload`).
    @discardableResult
    package static func reloading(status: String? = nil) -> Bool {
        send(["RELOADING=1", "MONOTONIC_USEC=\(EventLoop.now(.monotonic))"] + statusLine(status))
    }

    /// The service has begun to shut down.
    @discardableResult
    package static func stopping(status: String? = nil) -> Bool {
        send(["STOPPING=1"] + statusLine(status))
    }

    /// One line for `systemctl status`.
    @discardableResult
    package static func status(_ text: String) -> Bool {
        send(statusLine(text))
    }

    /// The service is alive. `EventLoop.enableWatchdog` does this from the loop, which is the better proof.
    @discardableResult
    package static func watchdog() -> Bool {
        send(["WATCHDOG=1"])
    }

    /// Starting, or stopping, takes so many microseconds longer than the manager would wait by itself.
    @discardableResult
    package static func extendTimeout(by microseconds: Int64) -> Bool {
        send(["EXTEND_TIMEOUT_USEC=\(max(microseconds, 0))"])
    }

    private static func statusLine(_ text: String?) -> [String] {
        // A line break would begin another assignment.
        text.map { ["STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ")] } ?? []
    }

    /// False when nobody listens or the message did not get through, after which there is nothing else to do.
    private static func send(_ assignments: [String]) -> Bool {
        sd_notify(0, assignments.joined(separator: "\n")) > 0
    }
}

// SPDX-License-Identifier: MIT
import CSystemd
import Reactor

/// Reports the state of the service to its manager: sd_notify(3). Nothing is sent unless the manager has set
/// NOTIFY_SOCKET.
package enum ServiceNotification {
    /// The service is up and its sockets answer; with one line for `systemctl status`.
    @discardableResult
    package static func ready(status: String? = nil) -> Bool {
        // A line break would begin another assignment.
        let line = status.map { "STATUS=" + $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        return send(["READY=1"] + [line].compactMap { $0 })
    }

    /// The configuration is being read again; `ready` follows. The time tells the manager which reload began last, if several
    /// end (`Type=notify-reload`).
    @discardableResult
    package static func reloading() -> Bool {
        send(["RELOADING=1", "MONOTONIC_USEC=\(EventLoop.now(.monotonic))"])
    }

    /// The service has begun to shut down.
    @discardableResult
    package static func stopping() -> Bool {
        send(["STOPPING=1"])
    }

    /// False when no service manager listens, or when the message was not sent. The caller can do nothing about it.
    private static func send(_ assignments: [String]) -> Bool {
        sd_notify(0, assignments.joined(separator: "\n")) > 0
    }
}

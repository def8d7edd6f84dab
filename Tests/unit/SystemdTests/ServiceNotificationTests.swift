// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Systemd
import TestSupport
import Testing

extension ManagerTests {
    @Suite struct ServiceNotificationTests {
        private let directory = TemporaryDirectory()

        init() { TestLoop.start() }

        @Test @LoopActor func whatIsSaidReachesTheManager() async throws {
            let manager = try NotifySocket(path: directory("notify"))
            ProcessEnvironment.set(["NOTIFY_SOCKET": manager.path])
            defer { ProcessEnvironment.set(["NOTIFY_SOCKET": nil]) }

            #expect(ServiceNotification.ready(status: "3 widgets"))
            #expect(try await manager.next() == ["READY=1", "STATUS=3 widgets"])
            #expect(ServiceNotification.ready())
            #expect(try await manager.next() == ["READY=1"])
            #expect(ServiceNotification.stopping())
            #expect(try await manager.next() == ["STOPPING=1"])
        }

        @Test @LoopActor func aStatusIsOneLine() async throws {
            let manager = try NotifySocket(path: directory("notify"))
            ProcessEnvironment.set(["NOTIFY_SOCKET": manager.path])
            defer { ProcessEnvironment.set(["NOTIFY_SOCKET": nil]) }
            #expect(ServiceNotification.ready(status: "fine\nSTOPPING=1\r\nor not"))
            #expect(try await manager.next() == ["READY=1", "STATUS=fine STOPPING=1 or not"])
        }

        @Test @LoopActor func aReloadCarriesItsTime() async throws {
            let manager = try NotifySocket(path: directory("notify"))
            ProcessEnvironment.set(["NOTIFY_SOCKET": manager.path])
            defer { ProcessEnvironment.set(["NOTIFY_SOCKET": nil]) }
            let before = EventLoop.now(.monotonic)
            #expect(ServiceNotification.reloading())
            let message = try await manager.next()
            #expect(message.first == "RELOADING=1")
            let time = try #require(message.last?.split(separator: "=").last.flatMap { Int64($0) })
            #expect((before...EventLoop.now(.monotonic)).contains(time))
        }

        @Test func withoutAManagerNothingIsSent() {
            ProcessEnvironment.set(["NOTIFY_SOCKET": nil])
            #expect(!ServiceNotification.ready())
        }

        @Test func aManagerThatIsGoneIsNoError() {
            ProcessEnvironment.set(["NOTIFY_SOCKET": directory("missing")])
            defer { ProcessEnvironment.set(["NOTIFY_SOCKET": nil]) }
            #expect(!ServiceNotification.ready())
        }

        @Test @LoopActor func theLoopAnswersTheWatchdogOnlyIfItIsAskedTo() async throws {
            ProcessEnvironment.set(["WATCHDOG_USEC": nil, "WATCHDOG_PID": nil])
            #expect(try EventLoop.enableWatchdog() == false)

            let manager = try NotifySocket(path: directory("notify"))
            ProcessEnvironment.set([
                "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000", "WATCHDOG_PID": "\(getpid())",
            ])
            defer { ProcessEnvironment.set(["NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil, "WATCHDOG_PID": nil]) }
            #expect(try EventLoop.enableWatchdog())
            for _ in 0..<3 { #expect(try await manager.next() == ["WATCHDOG=1"]) }
        }
    }
}

// SPDX-License-Identifier: MIT
import Arguments
import FleetProtocol
import Glibc
import Platform
import Reactor
import Systemd

/// The program today-fleet: options → loop → etcd and todayd.
package enum FleetProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        StandardStreams.fill()
        let log = StandardErrorLog(program: "today-fleet")
        do {
            switch try FleetOptions.parse(arguments, environment: .process) {
            case .print(let text):
                print(text, terminator: "")
                return 0
            case .run(let options):
                return try EventLoop.run {
                    if let task = options.task {
                        let client = try FleetClient(options, log)
                        Self.client = client
                        return client.begin(task)
                    }
                    let driver = try FleetDriver(options, log)
                    signals = try [SIGTERM, SIGINT].map { number in
                        try SignalSource(number) { driver.stop { EventLoop.exit(0) } }
                    }
                    _ = try EventLoop.enableWatchdog()
                    driver.start()
                    ServiceNotification.ready(status: "at \(options.etcd.endpoints.joined(separator: " "))")
                }
            }
        } catch let error as UsageError {
            let bytes = Array("\(error)\n".utf8)
            _ = write(STDERR_FILENO, bytes, bytes.count)
            return 2
        } catch {
            log.write(.error, "\(error)")
            return 1
        }
    }

    /// Keep the program while the loop runs.
    @LoopActor private static var signals: [SignalSource] = []
    @LoopActor private static var client: FleetClient?
}

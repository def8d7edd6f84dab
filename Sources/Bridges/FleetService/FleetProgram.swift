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
        let log = StandardErrorLog(program: "today-fleet")
        return Program.run {
            try FleetOptions.parse(arguments, environment: .process)
        } report: {
            log.write(.error, $0)
        } _: { options in
            try EventLoop.run {
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
    }

    /// Keep the program while the loop runs.
    @LoopActor private static var signals: [SignalSource] = []
    @LoopActor private static var client: FleetClient?
}

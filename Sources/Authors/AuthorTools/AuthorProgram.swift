// SPDX-License-Identifier: MIT
import Arguments
import TodayDaemon

/// The program today-author, which todayctl executes for the authors of widgets.
package enum AuthorProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        Program.run {
            try AuthorTask.parse(arguments)
        } report: {
            StandardStreams.printError("today-author: \($0)\n")
        } _: { task in
            switch task {
            case .check(let options): try CheckMode.run(options, environment: Daemon.environment())
            case .once(let options): try OnceMode.run(options, environment: Daemon.environment())
            case .importing(let options): try ImportMode.run(options, environment: Daemon.environment())
            }
        }
    }
}

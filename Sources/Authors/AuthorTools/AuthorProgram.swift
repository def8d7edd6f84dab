// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import TodayDaemon

/// The program today-author, which todayctl executes for the authors of widgets.
package enum AuthorProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        StandardStreams.fill()
        do {
            switch try AuthorRequest.parse(arguments) {
            case .print(let text):
                print(text, terminator: "")
                return 0
            case .check(let options):
                return try CheckMode.run(options, environment: Daemon.environment())
            case .once(let options):
                return try OnceMode.run(options, environment: Daemon.environment())
            case .importing(let options):
                return try ImportMode.run(options, environment: Daemon.environment())
            }
        } catch let error as UsageError {
            Daemon.printError("\(error)\n")
            return 2
        } catch {
            Daemon.printError("today-author: \(error)\n")
            return 1
        }
    }
}

// SPDX-License-Identifier: MIT
import TodayModel

enum NagiosFormat {
    static func content(from output: ProgramOutput) throws(OutputError) -> ReadContent { throw .empty }
}

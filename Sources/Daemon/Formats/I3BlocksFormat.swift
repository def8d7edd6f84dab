// SPDX-License-Identifier: MIT
import TodayModel

enum I3BlocksFormat {
    /// The exit status of a program whose content is urgent.
    static let urgentStatus: Int32 = 33

    static func content(from output: ProgramOutput) throws(OutputError) -> ReadContent { throw .empty }
}

// SPDX-License-Identifier: MIT
import TodayModel

enum WaybarFormat {
    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent { throw .empty }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// The output of plugins for xbar and the programs after it: lines for the bar, `---`, and a menu.
struct MenuFormat {
    enum Dialect: Sendable { case xbar, bitbar, swiftbar, argos }

    let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }

    func content(from output: [UInt8]) throws(OutputError) -> ReadContent { throw .empty }
}

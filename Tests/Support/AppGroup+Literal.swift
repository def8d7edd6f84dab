// SPDX-License-Identifier: MIT
import TodayModel

/// Lets tests write a group as a string. An invalid name is a bug of the test.
extension AppGroup: ExpressibleByStringLiteral {
    /// Required by the protocol.
    public init(stringLiteral text: String) {
        guard let group = AppGroup(text) else { preconditionFailure("\(text) is not an app group") }
        self = group
    }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// Tests write names of groups as they are. One that is no name is a bug of the test.
extension AppGroup: ExpressibleByStringLiteral {
    /// As the protocol demands.
    public init(stringLiteral text: String) {
        guard let group = AppGroup(text) else { preconditionFailure("\(text) is no app group") }
        self = group
    }
}

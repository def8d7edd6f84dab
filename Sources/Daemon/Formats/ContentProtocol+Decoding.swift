// SPDX-License-Identifier: MIT
import TodayModel

extension ContentProtocol {
    /// What a program printed, as content. The dialects meet here: a runner asks the protocol and does not
    /// know which one it is.
    package func content(from output: [UInt8]) throws(OutputError) -> Content {
        switch self {
        case .text: try TextFormat.content(from: output)
        case .json: try JSONFormat.content(from: output)
        case .push, .xbar, .i3blocks, .waybar, .nagios, .varlink, .stream:
            throw OutputError("Protocol=\(rawValue) has no output that could be read")
        }
    }
}

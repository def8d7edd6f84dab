// SPDX-License-Identifier: MIT
import TodayModel

/// Why a run has given nothing: what is wrong with a program's output, in words and with the place, or what the widget
/// says itself.
package struct OutputError: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// How long the widget wants to be left alone.
    package let wait: TimeSpan?

    init(_ description: String, wait: TimeSpan? = nil) {
        self.description = description
        self.wait = wait
    }

    static let empty = OutputError("printed nothing")
    static let isJSON = OutputError("this is JSON: write Protocol=json into [Update] of the manifest")
    package static let nothingKnown = OutputError(
        "it says that nothing is new, but nothing of it is known; it has to send content")
    static let unexplained = "failed, and did not say why"

    /// In words. Where the program has given nothing, not even a reason, what it complained of last is the next best.
    package func description(afterComplaint line: String?) -> String {
        let isSilent = [Self.empty.description, Self.nothingKnown.description, Self.unexplained].contains(description)
        guard isSilent, let line else { return description }
        return "\(description): \(line)"
    }
}

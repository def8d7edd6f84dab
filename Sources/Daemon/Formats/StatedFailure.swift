// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// A failure in the widget's own words: `{"failed": "rate limited", "nextUpdate": "16min"}`.
enum StatedFailure {
    /// EX_TEMPFAIL of sysexits.h: with it the last line of standard error may be such an object.
    static let exitStatus: Int32 = 75

    /// The field that makes an object one.
    static let key = "failed"

    private static let mostValues = 16

    /// Nil where the object states no failure.
    static func read(_ field: JSONField) throws(JSONMismatch) -> OutputError? {
        guard let reason = try field.optional(key) else { return nil }
        for (key, other) in try field.members() where key != Self.key && key != "nextUpdate" {
            let reason = try Self.reason(reason)
            throw other.fail("does not go with failed, only nextUpdate does; it has failed: \(reason)")
        }
        return OutputError(try Self.reason(reason), wait: try wait(field))
    }

    static func reason(_ field: JSONField?) throws(JSONMismatch) -> String {
        let reason = try field?.line(upTo: ContentLimits.summaryBytes) ?? ""
        return reason.isEmpty ? OutputError.unexplained : reason
    }

    static func wait(_ field: JSONField) throws(JSONMismatch) -> TimeSpan? {
        try field.optional("nextUpdate")?.timeSpan(in: ContentLimits.statedWait)
    }

    /// Reads a text that may be such an object. One that is, and is wrong, is a mistake that its author wants to know.
    static func read(_ text: String, maxValues: Int = mostValues) -> OutputError? {
        guard let json = try? JSON.parse(text, maxValues: maxValues), json.objectValue != nil else { return nil }
        do throws(JSONMismatch) {
            return try read(JSONField(root: json))
        } catch {
            return OutputError("\(error)")
        }
    }
}

extension ContentProtocol {
    /// Why a program has failed that ended with a status other than 0, in its own words; nil where it has none.
    package func statedFailure(output: [UInt8], errorOutput: String, status: Int32) -> OutputError? {
        if self == .json, let text = try? OutputText.decode(output),
            let failure = StatedFailure.read(text, maxValues: ContentLimits.values)
        {
            return failure
        }
        guard status == StatedFailure.exitStatus else { return nil }
        let lines = errorOutput.split(whereSeparator: \.isNewline)
        let last = lines.last { line in !line.allSatisfy(\.isWhitespace) }
        return last.flatMap { StatedFailure.read(String($0)) }
    }
}

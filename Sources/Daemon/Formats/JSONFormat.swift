// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// `Protocol=json`: the content is one JSON object (docs/content.md).
enum JSONFormat {
    private static let ageKey = "age"

    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        let text = try OutputText.decode(output)
        guard text.utf8.contains(where: { !$0.isSpace }) else { throw .empty }
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON.parse(text, maxValues: ContentLimits.values)
        } catch {
            throw OutputError("output is not JSON: \(error)")
        }
        let field = JSONField(root: json)
        let failure: OutputError?
        do throws(JSONMismatch) {
            failure = try StatedFailure.read(field)
            if failure == nil { return try read(field) }
        } catch {
            throw OutputError(error.path.isEmpty ? "output is not content: \(error.reason)" : "\(error)")
        }
        throw failure ?? .empty
    }

    /// Besides the fields of content, the output of a program may state an age.
    private static func read(_ field: JSONField) throws(JSONMismatch) -> ReadContent {
        guard let age = try field.optional(ageKey) else { return ReadContent(try Content(field)) }
        var members = try field.object()
        members[ageKey] = nil
        var content = ReadContent(try Content(JSONField(root: .object(members))))
        content.age = try age.timeSpan(in: ContentLimits.ages)
        return content
    }
}

/// A failure that the widget states: `{"failed": "rate limited", "nextUpdate": "16min"}`.
enum StatedFailure {
    /// EX_TEMPFAIL (sysexits.h(3head)). With this status, the last line of standard error may be such an object.
    static let exitStatus: Int32 = 75

    /// The field that every such object has.
    static let key = "failed"

    private static let mostValues = 16

    /// Nil if the object states no failure.
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

    /// Reads a text that may be such an object. If it is one with a mistake, the error tells its author.
    static func read(_ text: String, maxValues: Int = mostValues) -> OutputError? {
        guard let json = try? JSON.parse(text, maxValues: maxValues), json.objectValue != nil else { return nil }
        do throws(JSONMismatch) {
            return try read(JSONField(root: json))
        } catch {
            return OutputError("\(error)")
        }
    }
}

/// The statement that the previous content is still right: `{"noData": true, "nextUpdate": "16min"}`.
enum StatedNoData {
    static let key = "noData"
    /// Such an object is short. Longer output is content, which is then parsed only once.
    private static let mostBytes = 256

    /// Nil if the output is something else.
    static func read(_ output: [UInt8]) throws(OutputError) -> WidgetAnswer? {
        guard output.count <= mostBytes, let json = try? JSON.parse(try OutputText.decode(output)), json[key] != nil
        else { return nil }
        do throws(JSONMismatch) {
            let field = JSONField(root: json)
            for (other, member) in try field.members() where other != key && other != "nextUpdate" {
                throw member.fail("does not go with noData, only nextUpdate does")
            }
            let value = try field.required(key)
            guard try value.bool() else { throw value.fail("is true, or left out") }
            return .noData(wait: try field.optional("nextUpdate")?.timeSpan())
        } catch {
            throw OutputError("\(error)")
        }
    }
}

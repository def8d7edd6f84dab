// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// `Protocol=json`: the whole content as one JSON object (docs/content.md).
enum JSONFormat {
    static func content(from output: [UInt8]) throws(OutputError) -> Content {
        let text = try OutputText.decode(output)
        guard text.utf8.contains(where: { !OutputText.isSpace($0) }) else { throw .empty }
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
            if failure == nil { return try Content(field) }
        } catch {
            throw OutputError(error.path.isEmpty ? "output is no content: \(error.reason)" : "\(error)")
        }
        throw failure ?? .empty
    }
}

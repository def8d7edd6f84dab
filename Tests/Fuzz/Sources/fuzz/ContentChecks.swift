// SPDX-License-Identifier: MIT
import JSON
import TodayModel

@testable import Formats

/// What a format gives is content that the store writes, the protocol sends and hosts show without a look at it.
enum ContentChecks {
    /// The first byte is also the exit status.
    static func read(_ bytes: [UInt8], _ contentProtocol: ContentProtocol) {
        let first = Int32(bytes.first ?? 0)
        let status = contentProtocol == .i3blocks && first & 4 != 0 ? I3BlocksFormat.urgentStatus : first % 4
        do throws(OutputError) {
            check(try contentProtocol.content(from: ProgramOutput(bytes, status: status)))
        } catch {
            expect(!error.description.isEmpty, "a failure without words")
        }
        _ = contentProtocol.statedFailure(
            output: bytes, errorOutput: String(decoding: bytes, as: UTF8.self), status: 75)
    }

    private static func check(_ read: ReadContent) {
        let json = read.content.json
        let text = json.text
        expect(text.utf8.count <= ContentLimits.messageBytes, "\(text.utf8.count) bytes of content")
        do {
            let again = try Content(JSONField(root: try JSON.parse(text, maxValues: ContentLimits.values)))
            expect(again == read.content, "reads another content than it wrote: \(text)")
        } catch {
            fatalError("writes content that it does not read: \(error): \(text)")
        }
        checkTexts(json)
        expect(read.lines.count <= ReadContent.mostNotes + 1)
        for line in read.lines {
            expectPlain(line, "a note")
            expect(!line.isEmpty && line.utf8.count <= 203, line)
        }
    }

    private static func checkTexts(_ json: JSON) {
        switch json {
        case .string(let text): expectPlain(text, lines: true, "content")
        case .array(let elements): for element in elements { checkTexts(element) }
        case .object(let object):
            for (key, value) in object {
                expectPlain(key, "a key")
                checkTexts(value)
            }
        default: break
        }
    }
}

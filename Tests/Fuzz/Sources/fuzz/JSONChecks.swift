// SPDX-License-Identifier: MIT
import JSON
import Varlink

@testable import Formats

/// What is read as JSON is written as JSON, and read again as the same.
enum JSONChecks {
    static func read(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        expectSame(json)
        guard let pretty = try? JSON.parse(Array(json.pretty.utf8)), pretty.text == json.text else {
            fatalError("pretty: \(json.text)")
        }
    }

    /// What JSON accepts, the lenient reader accepts as the same, up to its number of values.
    static func readLeniently(_ bytes: [UInt8]) {
        let lenient = try? LenientJSON.parse(bytes[...])
        if let lenient { expectSame(lenient) }
        if let json = try? JSON.parse(bytes), let lenient {
            expect(json.text == lenient.text, "\(json.text) is \(lenient.text)")
        }
        for key in (try? JSON.parseLenient(bytes, maxValues: 1_000))?.keys ?? [] {
            expect(bytes[key.offset] == UInt8(ascii: "\""), "\(key.text) at \(key.offset)")
        }
        if let part = LenientJSON.balanced(bytes[...]) { expect(part.count <= bytes.count) }
        let isEnd = { (place: Int) in LenientJSON.line(of: place, in: bytes) }
        expect(isEnd(bytes.count) >= isEnd(bytes.count / 2))
    }

    static func readCall(_ bytes: [UInt8]) {
        guard let call = try? VarlinkCall(parsing: bytes) else { return }
        _ = (call.interfaceName, call.memberName)
        let message = call.encoded()
        expect(message.last == 0 && !message.dropLast().contains(0), "\(message)")
        guard let again = try? VarlinkCall(parsing: Array(message.dropLast())), again == call else {
            fatalError(String(decoding: message, as: UTF8.self))
        }
    }

    private static func expectSame(_ json: JSON) {
        let text = json.text
        guard let again = try? JSON.parse(Array(text.utf8)), again.text == text else { fatalError(text) }
    }
}

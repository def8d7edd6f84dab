// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// A configuration file in lenient JSON, with the lines of the keys of its outermost objects.
struct CommentedJSON {
    let value: JSON
    /// Keys that an object has twice; the last one counts.
    private(set) var repeated: [(key: String, line: Int)] = []
    private var lines: [Key: Int] = [:]

    private struct Key: Hashable {
        /// The element of the outermost array, or 0.
        let element: Int
        let text: SpelledText
    }

    private static let mostValues = 100_000
    private static let mostLevels = 64

    init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
        let document = try JSON.parseLenient(bytes, maxDepth: Self.mostLevels, maxValues: Self.mostValues)
        value = document.value
        var (line, counted) = (1, 0)
        for key in document.keys {
            line += bytes[counted..<key.offset].count(where: { $0 == UInt8(ascii: "\n") })
            counted = key.offset
            if lines.updateValue(line, forKey: Key(element: key.element, text: SpelledText(key.text))) != nil {
                repeated.append((key.text, line))
            }
        }
    }

    /// The line of a key of the outermost object, or of an object in the outermost array.
    func line(of key: String, inElement element: Int = 0) -> Int? {
        lines[Key(element: element, text: SpelledText(key))]
    }
}

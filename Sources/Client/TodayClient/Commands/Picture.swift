// SPDX-License-Identifier: MIT

import Arguments
import Files
import Glibc
import JSON
import TodayModel

/// Prints a picture that a widget shows.
struct Picture: ControlCommand {
    static let command = Command(
        "picture", summary: "print a picture of a widget, as a PNG file",
        description: """
            NAME is what 'todayctl show --json ID' has as "image"; without it, the first picture is printed. The same picture \
            always has the same name, so that a bar fetches it once.
            """,
        positionals: [
            .widget(),
            Positional(
                "NAME", isOptional: true, completion: Complete.Kind.pictures.completion, help: "The name of the picture"
            ),
        ],
        examples: [.init("todayctl picture weather > icon.png", "The first picture of the widget.")])

    let id: String
    let name: String?

    init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        name = arguments.positional("NAME")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let output = context.output
        let item = try context.item(id)
        guard let name = name ?? item.content?.pictureNames.first else {
            throw ClientError("\(item.id) shows no picture")
        }
        let reply = try context.service.call(
            ServiceCall("Picture", ["id": .string(item.id.text), "image": .string(name)]))
        if output.isJSON {
            try output.print(.object(reply))
            return .ok
        }
        guard let bytes = reply["png"]?.stringValue.flatMap(Base64.decode) else {
            throw ClientError("todayd sent no picture")
        }
        if isatty(output.descriptor) == 1 {
            throw ClientError(
                "a PNG file of \(bytes.count) bytes is nothing for a terminal: write '> FILE.png' behind it")
        }
        try output.write(bytes)
        return .ok
    }
}

/// Text as bytes: RFC 4648, section 4.
enum Base64 {
    /// Nil for a character that is no digit, and for a number of digits that no bytes have.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

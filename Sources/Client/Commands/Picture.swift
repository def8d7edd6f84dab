// SPDX-License-Identifier: MIT

import Arguments
import Console
import Files
import Glibc
import JSON
import Link
import Platform
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
                "NAME", isOptional: true, completion: CompletionKind.pictures.completion,
                help: "The name of the picture"
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

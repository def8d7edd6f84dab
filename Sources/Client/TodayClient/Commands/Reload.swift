// SPDX-License-Identifier: MIT

import Arguments
import JSON
import Rendering

/// Has all manifests read again, and tells what is wrong with them.
struct Reload: ControlCommand {
    static let command = Command(
        "reload", summary: "read todayd.conf and all manifests again",
        description: "Changes are picked up by themselves; this waits for it, and prints what is wrong.")

    init(_ arguments: ParsedArguments) {}

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(ServiceCall("Reload"))
        let output = context.output
        if output.isJSON {
            try output.print(.object(reply))
        } else if !output.isQuiet {
            let presentation = output.presentation
            let count = reply["widgets"]?.intValue ?? 0
            let complaints = reply.strings("complaints").map { presentation.line($0, .meaning(.warning)) }
            try output.print(complaints + [presentation.line("\(count) \(count == 1 ? "widget" : "widgets")")])
        }
        return .ok
    }
}

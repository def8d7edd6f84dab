// SPDX-License-Identifier: MIT

import Arguments
import JSON

/// A subcommand of todayctl.
protocol ControlCommand {
    static var command: Command { get }

    init(_ arguments: ParsedArguments) throws

    func run(in context: CommandContext) throws -> ExitCode
}

/// A command that is one call, of whose reply only programs want to hear.
protocol PlainCall: ControlCommand {
    var call: ServiceCall { get }
}

extension PlainCall {
    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        if context.output.isJSON { try context.output.print(.object(reply)) }
        return .ok
    }
}

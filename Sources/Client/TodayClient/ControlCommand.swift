// SPDX-License-Identifier: MIT

import Arguments
import Varlink

/// A subcommand of todayctl.
protocol ControlCommand {
    static var command: Command { get }

    init(_ arguments: ParsedArguments) throws

    func run(in session: Session) throws -> ExitCode
}

/// A command that is one call, of whose reply only programs want to hear.
protocol PlainCall: ControlCommand {
    var call: ServiceCall { get }
}

extension PlainCall {
    func run(in session: Session) throws -> ExitCode {
        let reply = try session.service.call(call)
        if session.output.isJSON { try session.output.print(.object(reply)) }
        return .ok
    }
}

/// What a command works with.
struct Session {
    let service: TodayService
    let output: Output
    let environment: Environment
}

extension Positional {
    /// The identifier of a widget, or the end of it.
    static func widget(isOptional: Bool = false, isRepeating: Bool = false) -> Positional {
        Positional(
            "ID", isOptional: isOptional, isRepeating: isRepeating, completion: .lines(of: "todayctl list --ids"),
            help: "A widget, such as org.todayd.disk or disk")
    }
}

extension ParsedArguments {
    /// A positional that the parser has made sure is there.
    func word(_ name: String) -> String { positional(name) ?? "" }
}

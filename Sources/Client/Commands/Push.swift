// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
import Platform
import TodayModel

/// Gives a widget content from outside, or takes it back.
struct Push: ControlCommand {
    static let command = Command(
        "push", summary: "give a widget content from outside",
        description: """
            The content is built from the options, or read as JSON from FILE, by default from standard input \
            (todayd.content(5) describes it). It stays for the time of --ttl, until the next push, or until --unset \
            removes it; then the widget's own content is shown again.

            A widget that only receives pushes needs a manifest of four lines. --create writes it if the widget does \
            not exist, into the first directory in which todayd looks for manifests; if ID is a single word, the \
            widget is local.ID. Existing files are never overwritten.
            """,
        options: [
            Option("text", short: "t", value: "TEXT", help: "The summary in one line"),
            Option("short", value: "TEXT", help: "The summary in a few characters"),
            Option("icon", value: "ICON", help: "An emoji, or an icon's name"),
            Option(
                "severity", value: "LEVEL", choices: Severity.allCases.map(\.rawValue), help: "How important it is"
            ),
            Option("percentage", value: "NUMBER", help: "0 to 100"),
            Option("tooltip", value: "TEXT", help: "Further text, for hosts that show tooltips"),
            Option("ttl", value: "TIME", help: "How long it stays, such as 90s or 10min"),
            Option("unset", short: "u", help: "Remove what was pushed"),
            Option("fleet", help: "Show it on all machines of the fleet (today-fleet(1))"),
            Option("create", help: "Create the widget if it does not exist: write its manifest"),
        ],
        positionals: [
            .widget(), Positional("FILE", isOptional: true, completion: .files, help: "JSON; - is standard input"),
        ],
        examples: [
            .init("todayctl push backup --text 'Backup done' --severity good --ttl 1h", "For an hour."),
            .init("todayctl push --create ci --text 'main is green'", "Creates the widget local.ci if necessary."),
            .init("todayctl push --fleet ci --text 'main is red' --severity warning", "On all machines of the fleet."),
            .init("make-report | todayctl push report", "Content as JSON."),
        ])

    /// Where the content comes from.
    enum Source: Equatable {
        case options(JSONObject)
        case file(String)
        /// `--unset`: there is none.
        case none
    }

    let id: String
    let source: Source
    let lifetime: TimeSpan?
    let creates: Bool
    let isForFleet: Bool

    init(_ arguments: ParsedArguments) throws {
        id = arguments.word("ID")
        lifetime = try arguments.duration("ttl", of: "push")
        creates = arguments.has("create")
        isForFleet = arguments.has("fleet")
        let file = arguments.positional("FILE")
        var content: JSONObject = [:]
        for name in ["text", "short", "icon", "severity", "tooltip"] {
            content[name] = arguments.value(name).map(JSON.string)
        }
        if let text = arguments.value("percentage") {
            guard let number = Double(text) else { throw Self.usage("--percentage: '\(text)' is not a number") }
            content["percentage"] = .double(number)
        }
        if arguments.has("unset") {
            if !content.isEmpty || file != nil || lifetime != nil || creates {
                throw Self.usage("--unset can be combined only with --fleet")
            }
            source = .none
        } else if content.isEmpty {
            source = .file(file ?? "-")
        } else {
            if file != nil { throw Self.usage("content comes either from options or from FILE") }
            if content["text"] == nil { throw Self.usage("missing --text") }
            source = .options(content)
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let content = try content()
        let fleet = isForFleet ? try FleetCommand(context) : nil
        let reply = try send(call(content: content), isContent: content != nil, in: context)
        // todayd has found it valid.
        try fleet?.push(call(content: content))
        if context.output.isJSON { try context.output.print(.object(reply)) }
        return .ok
    }

    private func send(_ call: ServiceCall, isContent: Bool, in context: CommandContext) throws -> JSONObject {
        do {
            return try context.service.call(call)
        } catch let error as ClientError where error.unknownWidget != nil && isContent {
            return try FirstPush(call, to: id, creates: creates, isForFleet: isForFleet, in: context).send(after: error)
        }
    }

    func call(content: JSON?) -> ServiceCall {
        var parameters: JSONObject = ["id": .string(id)]
        parameters["content"] = content
        parameters["ttl"] = lifetime.map { .int($0.microseconds) }
        return ServiceCall("Push", parameters)
    }

    private func content() throws -> JSON? {
        switch source {
        case .none: return nil
        case .options(let content): return .object(content)
        case .file(let path):
            let name = path == "-" ? "standard input" : path
            if path == "-" && isatty(STDIN_FILENO) == 1 { throw Self.usage("no content: give --text, FILE or a pipe") }
            if path != "-", access(path, F_OK) != 0, errno == ENOENT {
                throw Self.usage("there is no file '\(path)', and FILE is one with JSON; a text is given with --text")
            }
            let bytes = try InputFile.read(path, upTo: ContentLimits.contentBytes)
            do {
                return try JSON.parse(bytes)
            } catch {
                throw ClientError("\(name): \(error)", .usage)
            }
        }
    }

    private static func usage(_ reason: String) -> UsageError {
        UsageError(commands: ["todayctl", "push"], reason: reason)
    }
}

/// A file that the user names for a command to read.
enum InputFile {
    /// Returns the bytes of a file, or of standard input for `-`.
    static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { if path != "-" { close(descriptor) } }
        guard let bytes = Descriptor.readAll(descriptor, upTo: limit) else { throw failure(path) }
        if bytes.count > limit { throw ClientError("\(path): more than \(limit) bytes", .usage) }
        return bytes
    }

    private static func failure(_ path: String) -> ClientError {
        ClientError("\(path): \(String(cString: strerror(errno)))", .usage)
    }
}

// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// Shows the settings of a widget, or sets some of them.
struct Config: ControlCommand {
    static let command = Command(
        "config", summary: "show or set the settings of a widget or a group",
        description: """
            The settings are those that the widget's manifest declares, and those that every widget has: its name, and \
            its icon, label, format, width and colours in bars. When the command returns, the values are on disk, and \
            the widget runs again if they concern it. Either all values of a command are set, or none.

            A boolean is yes or no. A list is words; quotes keep words together: 'CITIES="New York" Bern'. The value of a \
            secret is read from standard input, without echo on a terminal, and never shown.

            With --group they are the defaults of an app group, which its widgets and its app share: KEY alone prints \
            one value, with exit status 1 if there is none. A value is JSON; anything that is not JSON is taken as a \
            string.
            """,
        options: [
            Option(
                "unset", short: "u", value: "NAME", completion: CompletionKind.settings.completion,
                help: "Go back to the default of this setting, or remove this value of a group"),
            Option(
                "secret", short: "s", value: "NAME", completion: CompletionKind.secrets.completion,
                help: "Read the value of this setting from a line of standard input"),
            Option(
                "group", short: "g", value: "GROUP", help: "The defaults of this group, as in AppGroups= of a manifest"),
            Option("string", help: "With --group: take values as strings, whatever they look like"),
        ],
        positionals: [
            .widget(isOptional: true),
            Positional(
                "NAME=VALUE", isOptional: true, isRepeating: true, completion: CompletionKind.assignments.completion,
                help: "A setting and its new value"),
        ],
        exclusiveOptions: [["group", "secret"]],
        examples: [
            .init("todayctl config weather", "What can be set, and the current values."),
            .init("todayctl config weather CITY='New York' UNITS=imperial", "Both, or none if one does not fit."),
            .init(
                "todayctl config weather name=Bern label=BE", "Its name, and what bars show before its text."),
            .init("todayctl config weather --secret TOKEN < token", "From a file, so that no other program sees it."),
            .init("todayctl config --group group.org.example.btc currency=CHF", "For all widgets of the group."),
        ])

    let id: String
    let values: [(name: String, text: String)]
    let unset: [String]
    let secret: String?
    /// The defaults of a group, instead of settings.
    let group: GroupDefaults?

    init(_ arguments: ParsedArguments) throws {
        unset = arguments.values("unset")
        if let name = arguments.value("group") {
            let words = arguments.positionals("ID") + arguments.positionals("NAME=VALUE")
            group = try GroupDefaults(name, words, unset: unset, isString: arguments.has("string"))
            (id, values, secret) = ("", [], nil)
            return
        }
        group = nil
        guard let id = arguments.positional("ID") else { throw Self.usage("missing ID") }
        if arguments.has("string") { throw Self.usage("--string goes with --group") }
        self.id = id
        let secrets = arguments.values("secret")
        if secrets.count > 1 { throw Self.usage("--secret reads one line: set one secret after the other") }
        secret = secrets.first
        values = try arguments.positionals("NAME=VALUE").map { word in
            guard let (name, value) = word.assignment else {
                throw Self.usage(
                    "'\(word)' is not NAME=VALUE; 'todayctl config \(arguments.word("ID"))' shows all settings")
            }
            return (name, value)
        }
        var names: Set<String> = []
        for name in values.map(\.name) + secrets where !names.insert(name).inserted {
            throw Self.usage("\(name) is there twice")
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if let group { return try group.run(in: context) }
        if values.isEmpty && unset.isEmpty && secret == nil { return try show(in: context) }
        var call = call
        if !values.isEmpty || secret != nil { try refuseConfusion(in: context) }
        if let secret {
            let line = try SecretInput.readLine(
                prompt: "\(secret) of \(id): ", within: Setting.valueBytes, context.output)
            call.set(secret, to: line)
        }
        let reply = try context.service.call(call)
        if context.output.isJSON { try context.output.print(.object(reply)) }
        return .ok
    }

    /// The call that sets the values on the command line.
    var call: ServiceCall {
        var call = ServiceCall("SetSettings", ["id": .string(id), "values": [:]])
        for (name, text) in values { call.set(name, to: text) }
        if !unset.isEmpty { call.parameters["unset"] = JSON(unset) }
        return call
    }

    private func show(in context: CommandContext) throws -> ExitCode {
        let (reply, settings) = try context.settings(of: id)
        if context.output.isJSON {
            try context.output.print(.object(reply))
            return .ok
        }
        if settings.isEmpty {
            context.output.note("\(id) declares no settings; these every widget has:")
        } else {
            try context.output.print(SettingTable(settings, context.output.listing).lines + [StyledLine()])
        }
        try context.output.print(SettingTable(try context.settings("face", in: reply), context.output.listing).lines)
        return .ok
    }

    /// Every user of the machine can read the command line of a process (proc_pid_cmdline(5)), and clients show the value of
    /// every setting that is not a secret.
    private func refuseConfusion(in context: CommandContext) throws {
        let settings = try context.settings(of: id).statuses.map(\.setting)
        let secrets = settings.filter { $0.type == .secret }.map(\.name)
        if let name = values.map(\.name).first(where: secrets.contains) {
            throw Self.usage(
                "\(name) is a secret, and others can read command lines: use 'todayctl config \(id) --secret \(name)'")
        }
        if let secret, settings.contains(where: { $0.name == secret && $0.type != .secret }) {
            throw Self.usage(
                "\(secret) is not a secret, and clients show its value: use 'todayctl config \(id) \(secret)=VALUE'")
        }
    }

    private static func usage(_ reason: String) -> UsageError {
        UsageError(commands: ["todayctl", "config"], reason: reason)
    }
}

extension CommandContext {
    /// The settings of a widget: todayd's reply, and the same as values.
    func settings(of id: String) throws -> (reply: JSONObject, statuses: [SettingStatus]) {
        let reply = try service.call(ServiceCall("Settings", ["id": .string(id)]))
        return (reply, try settings("settings", in: reply))
    }

    /// - Parameter member: the widget's own settings, or those of its face.
    func settings(_ member: String, in reply: JSONObject) throws -> [SettingStatus] {
        try service.translated { try reply.member(member) }
    }
}

extension ServiceCall {
    fileprivate mutating func set(_ name: String, to text: String) {
        var values = parameters["values"]?.objectValue ?? [:]
        values[name] = .string(text)
        parameters["values"] = .object(values)
    }
}

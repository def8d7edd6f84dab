// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
import Rendering
import TodayModel
import Watch

/// Adds an installed widget, or lists those that can be added.
struct Add: ControlCommand {
    static let command = Command(
        "add", summary: "add one of the installed widgets, or list them",
        description: """
            Without WIDGET it lists the widgets that can be added; on a terminal you choose one with the keyboard, and \
            it asks for what the widget needs. A widget such as weather can be added several times, each with its own \
            settings: 'todayctl add weather city=Bern' makes weather@Bern, and 'todayctl add weather@home city=Bern' \
            makes the one that you name. 'todayctl remove' removes it again. If you have disabled the widget, it is \
            enabled again.
            """,
        positionals: [
            Positional(
                "WIDGET", isOptional: true, completion: CompletionKind.offers.completion,
                help: "What to add, such as weather or weather@home"),
            Positional(
                "NAME=VALUE", isOptional: true, isRepeating: true,
                completion: CompletionKind.offeredAssignments.completion, help: "A setting"),
        ],
        examples: [
            .init("todayctl add", "What can be added; on a terminal, choose one."),
            .init("todayctl add weather city=Bern", "The weather of one more place."),
            .init("todayctl add clock zones='Asia/Tokyo Europe/London'", "A list is words."),
        ])

    private let name: String?
    private let instance: String?
    private let values: [(name: String, text: String)]

    init(_ arguments: ParsedArguments) throws {
        let parts = arguments.positional("WIDGET")?.split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts.map { String($0[0]) }
        instance = parts.flatMap { $0.count > 1 && !$0[1].isEmpty ? String($0[1]) : nil }
        values = try arguments.positionals("NAME=VALUE").map { word in
            guard let (name, value) = word.assignment else {
                throw UsageError(commands: ["todayctl", "add"], reason: "'\(word)' is not NAME=VALUE")
            }
            return (name, value)
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let (reply, all) = try context.offers()
        guard let name else { return try choose(all, reply, in: context) }
        guard let offer = try all.one(named: name) else { return try enable(name, all, in: context) }
        return try add(offer, in: context)
    }

    private func choose(_ all: [Offer], _ reply: JSONObject, in context: CommandContext) throws -> ExitCode {
        let output = context.output
        if output.isJSON {
            try output.print(.object(reply))
            return .ok
        }
        let offers = all.filter { $0.isTemplate || $0.added.isEmpty }
        if offers.isEmpty {
            output.note(
                all.isEmpty
                    ? "no widgets to add are installed; the package today-gallery has some"
                    : "everything that is installed has been added; 'todayctl list' shows it")
            return .ok
        }
        guard output.isLive, isatty(STDIN_FILENO) == 1, !output.isQuiet else {
            try output.print(OfferTable(offers, output.listing).lines)
            return .ok
        }
        guard let offer = try OfferChoice.ask(offers, output) else { return .no }
        return try add(offer, in: context)
    }

    // MARK: Adding

    private func add(_ offer: Offer, in context: CommandContext) throws -> ExitCode {
        if !offer.isTemplate, let id = offer.added.first { return try enable(id.text, [], in: context) }
        let secrets = offer.settings.filter { $0.type == .secret }
        if let secret = secrets.first(where: { secret in values.contains { $0.name.means(secret) } }) {
            throw UsageError(
                commands: ["todayctl", "add"],
                reason:
                    "\(secret.name) is a secret, and others can read command lines: add the widget without it, and then "
                    + "'todayctl config WIDGET --secret \(secret.name)'")
        }
        let asks = isatty(STDIN_FILENO) == 1 && !context.output.isJSON && !context.output.isQuiet
        var texts = values
        if asks {
            texts += try ask(for: offer.needs.filter { need in !texts.contains { $0.name.means(need) } }, context)
        }
        let reply = try context.service.call(.adding(offer.id.text, instance: instance, texts))
        let id = reply["id"]?.stringValue ?? offer.id.text
        var missing = secrets
        if asks {
            missing = try secrets.filter { secret in
                let prompt = "\(secret.label ?? secret.name) (\(secret.name), or Enter for none): "
                let text = try SecretInput.readLine(prompt: prompt, within: Setting.valueBytes, context.output)
                if text.isEmpty { return true }
                _ = try context.service.call(
                    ServiceCall("SetSettings", ["id": .string(id), "values": [secret.name: .string(text)]]))
                return false
            }
        }
        if context.output.isJSON {
            try context.output.print(.object(reply))
            return .ok
        }
        for secret in missing {
            let label = secret.label.map { " (\($0))" } ?? ""
            context.output.note("'todayctl config \(id) --secret \(secret.name)' sets a secret of it\(label)")
        }
        return try show(id, in: context)
    }

    /// Asks for each value until it fits.
    private func ask(for needs: [Setting], _ context: CommandContext) throws -> [(name: String, text: String)] {
        try needs.map { need in
            let options = need.type == .choice ? " (\(need.options.joined(separator: ", ")))" : ""
            while true {
                context.output.prompt("\(need.label ?? need.name)\(options): ")
                guard let text = readLine() else { throw ClientError("nothing is added") }
                do throws(SettingMistake) {
                    if try !need.value(from: text).text.trimmed.isEmpty { return (need.name, text) }
                    context.output.note("it needs a value; Ctrl-C adds nothing")
                } catch {
                    context.output.note("\(Setting.quoted(text)) \(error.reason)")
                }
            }
        }
    }

    /// The widget after its first run.
    private func show(_ id: String, in context: CommandContext) throws -> ExitCode {
        let output = context.output
        if output.isQuiet { return .ok }
        if output.errorsAreLive { output.showProgress("running \(id) for the first time …") }
        // todayd answers after at most 40 s. A widget that fails shows the reason on its card.
        _ = try? context.service.call(.updating(id))
        output.clearProgress()
        try output.print("Added \(id); 'todayctl remove \(id)' removes it again.")
        let item = try context.item(id)
        if [.empty, .hidden].contains(item.state) {
            try output.print("It has nothing to show now, and appears by itself once it has.")
        } else {
            try output.print([StyledLine()] + TodayPage([item], output.presentation).lines)
        }
        return .ok
    }

    /// A widget that exists because of its file may be disabled.
    private func enable(_ name: String, _ offers: [Offer], in context: CommandContext) throws -> ExitCode {
        let typed = instance.map { "\(name)@\($0)" } ?? name
        let item: Item
        do { item = try context.item(typed) } catch let error as ClientError where error.code == .noSuchWidget {
            let nearest = WidgetID.nearest(to: name, among: offers.map(\.id)).map { "; did you mean \($0)?" }
            throw ClientError(
                "there is no widget '\(name)' to add\(nearest ?? "; 'todayctl add' lists them")", .noSuchWidget
            )
        }
        let isNew = item.state == .disabled
        if isNew { _ = try context.service.call(.enabling(item.id.text, true, at: nil)) }
        if !values.isEmpty {
            let members = values.map { ($0.name, JSON.string($0.text)) }
            _ = try context.service.call(
                ServiceCall("SetSettings", ["id": .string(item.id.text), "values": .object(JSONObject(members))]))
        }
        if isNew { return try show(item.id.text, in: context) }
        if values.isEmpty { context.output.note("\(item.id) already exists") }
        return .ok
    }
}

/// Reverses `add`.
struct Remove: ControlCommand {
    static let command = Command(
        "remove", summary: "remove widgets that were added",
        description: """
            Reverses 'todayctl add'. The settings of the widget, except its secrets, are kept in case you add it \
            again. A widget that exists because of its file is disabled instead; 'todayctl enable' reverses that.
            """,
        positionals: [.widget(isRepeating: true)],
        examples: [.init("todayctl remove weather@bern", "Without the weather of this place.")])

    private let ids: [String]

    init(_ arguments: ParsedArguments) { ids = arguments.positionals("ID") }

    func run(in context: CommandContext) throws -> ExitCode {
        let added = Set(try context.offers().all.flatMap(\.added))
        for name in ids {
            let id = try context.item(name).id
            guard !added.contains(id) else {
                _ = try context.service.call(ServiceCall("Remove", ["id": .string(id.text)]))
                continue
            }
            _ = try context.service.call(.enabling(id.text, false, at: nil))
            context.output.note(
                "\(id) is there because of its file, so it is disabled; 'todayctl enable \(id)' undoes it")
        }
        return .ok
    }
}

extension CommandContext {
    /// What can be added: todayd's reply, and the same as values.
    func offers() throws -> (reply: JSONObject, all: [Offer]) {
        let reply = try service.call(ServiceCall("Offers"))
        return (reply, try service.translated { try reply.member("offers") })
    }
}

extension [Offer] {
    /// The offer with this identifier, or the only one whose identifier ends so.
    func one(named name: String) throws(ClientError) -> Offer? {
        if let offer = first(where: { $0.id.text == name }) { return offer }
        let candidates = filter { $0.id.hasSuffix(name) }
        if candidates.count < 2 { return candidates.first }
        let list = candidates.map { "\n  \($0.id)" }.joined()
        throw ClientError("'\(name)' could be any of these:\(list)", .noSuchWidget)
    }
}

extension String {
    /// Whether a user who types this means the setting.
    func means(_ setting: Setting) -> Bool { lowercased() == setting.name.lowercased() }
}

extension ServiceCall {
    fileprivate static func adding(
        _ id: String, instance: String?, _ values: [(name: String, text: String)]
    ) -> ServiceCall {
        var call = ServiceCall("Add", optional: [("instance", instance)])
        call.parameters["id"] = .string(id)
        call.parameters["values"] = .object(JSONObject(values.map { ($0.name, .string($0.text)) }))
        return call
    }
}

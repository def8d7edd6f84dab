// SPDX-License-Identifier: MIT
import Arguments
import Files
import Glibc
import Platform
import TodayModel

/// The program as its author starts it: it performs one update, and draws the widget in the terminal or prints its content.
@MainActor
struct Development<Widget: TodayWidget> {
    let arguments: [String]
    let variables: EnvironmentVariables

    func run() async -> Int32 {
        let command = DevelopmentOptions.command(Containers.programName)
        do throws(UsageError) {
            let parsed = try command.parse(Array(arguments.dropFirst()))
            if parsed.isHelpRequested {
                return Descriptor.writeAll(Array(command.help().utf8), to: STDOUT_FILENO) ? 0 : 1
            }
            return await perform(try DevelopmentOptions(parsed))
        } catch {
            StandardError.write("\(error)")
            return 2
        }
    }

    private func perform(_ options: DevelopmentOptions) async -> Int32 {
        let output = Program<Widget>.reserveStandardOutput()
        let width = options.width ?? TerminalWidth.of(output, variables)
        let request = options.request(width: width)
        let host = WidgetHost<Widget>(request)
        defer { host.end() }
        do {
            let content = try await content(of: host, request, options)
            if options.isJSON {
                return Descriptor.writeAll(Array("\(content.json.pretty)\n".utf8), to: output) ? 0 : 1
            }
            var shown = content.shown(at: Timestamp.now.wallTime)
            // Only todayd keeps values: a history has those of now.
            var history = History()
            _ = history.append(shown.numbers, at: Timestamp.now.wallTime)
            shown.drawHistory(history)
            let preview = Preview(name: try name(options), content: shown, size: request.size, options: options)
            return try preview.draw(
                ["--width", "\(width)", "--color=\(options.isOnce ? "never" : "auto")"], to: output, variables)
        } catch {
            StandardError.write("\(Containers.programName): \(error)")
            return 1
        }
    }

    private func content(
        of host: WidgetHost<Widget>, _ request: WidgetRequest, _ options: DevelopmentOptions
    ) async throws -> Content {
        if options.isPlaceholder { return try host.placeholder(request) }
        for call in options.calls {
            if case .failed(let reason, _) = await host.perform(call, request) { throw WidgetFailure(reason) }
        }
        return try host.content()
    }

    /// The display name of the widget, or else the name of its type.
    private func name(_ options: DevelopmentOptions) throws -> String {
        if let manifest = options.manifest {
            guard let name = ManifestName.read(manifest) else {
                throw WidgetFailure("--manifest: \(manifest) cannot be read, or has no line with DisplayName=")
            }
            return name
        }
        return ManifestName.ownProgram.flatMap { ManifestName(program: $0, variables: variables).find() }
            ?? "\(Widget.self)"
    }
}

/// The command line of a widget's program.
struct DevelopmentOptions: Hashable, Sendable {
    var isJSON = false
    var isOnce = false
    var mode = NCWidgetDisplayMode.compact
    var width: Int?
    var action: String?
    var isEditing = false
    var isPlaceholder = false
    var manifest: String?

    static func command(_ name: String) -> Command {
        Command(
            name, summary: "a Today widget",
            description: """
                Started by todayd, this program is a widget. Started by hand it performs one update and draws what the widget \
                shows in the terminal, which todayctl draws; it needs no daemon, but uses one that runs for the defaults of app groups.

                A debugger can start it like this, or attach to the process that todayd has started.
                """,
            options: [
                Option("preview", help: "Draw the widget as a host does (what happens without any option, too)"),
                Option("once", help: "The same without colours, for scripts; with --json the content itself"),
                Option("json", help: "Print the content as todayd gets it"),
                Option("mode", value: "MODE", choices: ["compact", "expanded"], help: "The display mode"),
                Option(
                    "width", value: "COLUMNS", help: "How wide, from 10 to 1000; by default as wide as the terminal"),
                Option("action", value: "NAME", help: "Press the button with this action instead of an update"),
                Option(
                    "editing", help: "Begin editing instead of an update; with --action, press a button in the editor"),
                Option("placeholder", help: "Perform no update: what is shown before the first answer"),
                Option(
                    "manifest", value: "FILE",
                    help:
                        "Shows the name in this manifest; by default one in the package, beside the program or where todayd looks"
                ),
            ],
            positionals: [
                Positional(
                    "ARGUMENT", isOptional: true, isRepeating: true,
                    help: "After --: for the widget itself, as in ExecStart= of its manifest")
            ],
            exclusiveOptions: [
                ["preview", "once"], ["preview", "json"], ["placeholder", "action"], ["placeholder", "editing"],
            ],
            examples: [
                .init("\(name) --preview --mode expanded --width 40", "How it looks in a narrow column."),
                .init("\(name) --once --json", "What todayd gets, to look into or to compare."),
            ])
    }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        isJSON = arguments.has("json")
        isOnce = arguments.has("once") || isJSON
        mode = arguments.value("mode") == "expanded" ? .expanded : .compact
        action = arguments.value("action")
        isEditing = arguments.has("editing")
        isPlaceholder = arguments.has("placeholder")
        manifest = arguments.value("manifest")
        guard let text = arguments.value("width") else { return }
        guard let width = Int(text), (10...1_000).contains(width) else {
            throw UsageError(
                commands: [Containers.programName], reason: "--width: '\(text)' is not a number from 10 to 1000")
        }
        self.width = width
    }

    /// What the widget is asked.
    func request(width: Int) -> WidgetRequest {
        var request = WidgetRequest(
            reason: action != nil ? .action : isEditing ? .editing : .request, mode: mode,
            // todayd offers no more than the maximum size, however wide the terminal is.
            size: WidgetSize(mode.model.maximumSize).fitting(WidgetSize(columns: width - 2, rows: .max)))
        // No snapshot exists here, so `noData` draws the body as well.
        request.isKnown = false
        request.isEditing = isEditing
        return request
    }

    /// In this order.
    var calls: [WidgetCall] {
        let calls: [WidgetCall] = (isEditing ? [.beginEditing] : []) + (action.map { [.performAction($0)] } ?? [])
        return calls.isEmpty ? [.performUpdate] : calls
    }
}

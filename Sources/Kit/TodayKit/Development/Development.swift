// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import TodayModel

/// The program in the hands of its author: one update, drawn in the terminal or printed.
@MainActor
struct Development<Widget: TodayWidget> {
    let arguments: [String]
    let variables: Variables

    func run() async -> Int32 {
        let command = DevelopmentOptions.command(Containers.programName)
        do throws(UsageError) {
            let parsed = try command.parse(Array(arguments.dropFirst()))
            if parsed.isHelpRequested {
                return Terminal.write(command.help(), to: STDOUT_FILENO) ? 0 : 1
            }
            return await perform(try DevelopmentOptions(parsed))
        } catch {
            StandardError.say("\(error)")
            return 2
        }
    }

    private func perform(_ options: DevelopmentOptions) async -> Int32 {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let output = Program<Widget>.keepStandardOutput()
        let terminal = Terminal(variables, descriptor: output, isTerminal: isTerminal && !options.isOnce)
        let width = options.width ?? terminal.width
        let request = WidgetRequest(
            reason: options.action == nil ? .request : .action, mode: options.mode,
            // As the daemon offers it: a wider terminal gives a widget no more room.
            size: WidgetSize(options.mode.model.maximumSize).fitting(WidgetSize(columns: width - 2, rows: .max)))
        let host = WidgetHost<Widget>(request)
        defer { host.end() }
        let outcome = await host.perform(options.action.map(WidgetCall.performAction) ?? .performUpdate, request)
        do {
            let content: Content
            switch outcome {
            case .newData(let new): content = new
            case .noData: content = try host.content()
            case .failed(let reason, _): throw WidgetFailure(reason)
            }
            let text =
                options.isJSON
                ? content.json.pretty + "\n"
                : Preview(name: "\(Widget.self)", content: content, mode: options.mode)
                    .text(width: width, charset: terminal.charset, colors: terminal.colors)
            return Terminal.write(text, to: output) ? 0 : 1
        } catch {
            StandardError.say("\(Containers.programName): \(error)")
            return 1
        }
    }
}

// SPDX-License-Identifier: MIT
import Arguments
import CryptoCurrencyKit
import Glibc
import JSON
import Platform
import TodayKit

/// The containing app of the BTC widget: prints the price of a day, and sets the currency of app and widget.
@MainActor
struct Crypticker {
    /// The exit statuses, which the help explains.
    enum ExitCode: Int32 {
        case ok = 0
        case noPrice = 1
        case usage = 2
        case noPrices = 3
        case notSet = 4
        case notWritten = 5
    }

    /// Why the program ends early.
    struct Failure: Error {
        let reason: String
        let code: ExitCode
    }

    let variables: EnvironmentVariables

    func run(_ arguments: [String]) async -> ExitCode {
        let screen = Screen(variables)
        do {
            let parsed = try Self.command.parse(arguments)
            if parsed.isHelpRequested {
                return screen.write(Self.command.help()) ? .ok : .notWritten
            }
            let code = await perform(parsed, screen)
            if parsed.has("wait") { screen.waitForEnter() }
            return code
        } catch {
            screen.writeError("\(error)")
            return .usage
        }
    }

    private func perform(_ arguments: ParsedArguments, _ screen: Screen) async -> ExitCode {
        do {
            let day = try arguments.positional("DAY").map(Self.day)
            if let code = arguments.value("currency") {
                let currency = try setCurrency(code)
                guard day != nil else {
                    let isWritten = screen.write(
                        arguments.has("json")
                            ? "{\"currency\":\"\(currency.code)\"}\n"
                            : "Prices are in \(currency.name) now.\n")
                    return isWritten ? .ok : .notWritten
                }
            }
            let page = DayViewController()
            _ = try await page.fetch(try PriceSettings(variables, try PriceSettings.sharedDefaults() ?? [:]))
            guard page.select(day) else { throw Failure(reason: Self.noPrice(on: day, page.history), code: .noPrice) }
            let text =
                arguments.has("json")
                ? JSON(page.json).pretty + "\n" : page.view.map { screen.text(of: $0) } ?? ""
            return screen.write(text) ? .ok : .notWritten
        } catch let failure as Failure {
            screen.writeError("crypticker: \(failure.reason)")
            return failure.code
        } catch {
            screen.writeError("crypticker: \(error)")
            return .noPrices
        }
    }

    /// Reads a day that the user has typed, or that the widget's URL has.
    static func day(_ text: String) throws(Failure) -> CivilDay {
        let start = "crypticker://day/"
        let isURL = text.utf8.starts(with: start.utf8)
        if let day = CivilDay(isURL ? String(text.dropFirst(start.count)) : text) { return day }
        throw Failure(
            reason: "'\(text)' is not a day; write it as 2026-11-01 or crypticker://day/2026-11-01", code: .usage)
    }

    private func setCurrency(_ code: String) throws(Failure) -> Currency {
        guard let currency = Currency(code) else {
            throw Failure(reason: "--currency: '\(code)' is not a code of 3 to 5 letters, such as usd", code: .usage)
        }
        do throws(TodayError) {
            try GroupDefaults(suiteName: PriceSettings.group).set(currency.code, forKey: PriceSettings.currencyKey)
            return currency
        } catch {
            switch error {
            case .noSuchGroup:
                throw Failure(
                    reason: "todayd knows no BTC widget; install its manifest first (\(error))", code: .notSet)
            default: throw Failure(reason: "the currency is not set: \(error)", code: .notSet)
            }
        }
    }

    private static func noPrice(on day: CivilDay?, _ history: PriceHistory?) -> String {
        guard let day, let history, let first = history.days.first else { return "there is no price" }
        return
            "there is no price for \(day.text); there are some from \(first.date.text) to \(history.latest.date.text)"
    }
}

// MARK: - The command line

extension Crypticker {
    static let command = Command(
        "crypticker", summary: "the price of a bitcoin, today and on each of the last thirty days",
        description: """
            Prints the price of a day, its change against the day before, and a chart of thirty days in which the day is \
            marked. Days are those of UTC. Without DAY it prints the newest price, and the chart has no mark.

            The exit status is 0; 1 if there is no price for the day; 2 if the arguments are wrong; 3 if there are no \
            prices, because the server cannot be asked or its answer cannot be used; 4 if the currency cannot be set; \
            5 if the output cannot be written.

            Prices come from CoinGecko. CRYPTICKER_ENDPOINT in the environment, or 'endpoint' in the defaults of \
            group.org.todayd.crypticker, is the URL of another server with the same answers; CRYPTICKER_TIMEOUT is how \
            many seconds to wait for it, 10 unless set. CRYPTICKER_SAMPLE is a file with an answer of the server, whose \
            prices are shown as sample prices where no server answers.
            """,
        options: [
            Option(
                "currency", short: "c", value: "CODE",
                help: "Set the currency (3 to 5 letters, as usd) for this program and the widget, which follows at once"
            ),
            Option("json", short: "j", help: "Print JSON"),
            Option("wait", help: "Wait for Enter before it ends, in a terminal that would close"),
        ],
        positionals: [
            Positional("DAY", isOptional: true, help: "as 2026-11-01, or as crypticker://day/2026-11-01")
        ],
        examples: [
            Command.Example("crypticker 2026-11-01", "The price on the first of November"),
            Command.Example("crypticker --currency eur", "Euros from now on, in the widget as well"),
        ])
}

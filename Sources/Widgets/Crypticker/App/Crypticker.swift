// SPDX-License-Identifier: MIT
import Arguments
import CryptoCurrencyKit
import Glibc
import JSON
import Platform
import TodayKit

/// The containing app of the BTC widget: shows a day's price, and sets the currency for both.
@MainActor
struct Crypticker {
    /// What a script can tell from its end; its help lists them.
    enum ExitCode: Int32 {
        case ok = 0
        case noPrice = 1
        case usage = 2
        case noPrices = 3
        case notSet = 4
        case notWritten = 5
    }

    /// Why it ends early.
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
            screen.complain("\(error)")
            return .usage
        }
    }

    private func perform(_ arguments: ParsedArguments, _ screen: Screen) async -> ExitCode {
        do {
            let day = try arguments.positional("DAY").map(Self.day)
            if let code = arguments.value("currency") {
                let (currency, isSet) = try set(code)
                guard day != nil else {
                    let isWritten = screen.write(
                        arguments.has("json")
                            ? "{\"currency\":\"\(currency.code)\"}\n"
                            : "Prices are in \(currency.name) \(isSet ? "now" : "when todayd runs").\n")
                    return isWritten ? .ok : .notWritten
                }
            }
            let page = DayViewController()
            _ = try await page.fetch(try PriceSettings(variables, try PriceSettings.shared() ?? [:]))
            guard page.select(day) else { throw Failure(reason: Self.noPrice(on: day, page.history), code: .noPrice) }
            let text =
                arguments.has("json")
                ? JSON(page.json).pretty + "\n" : page.view.map { screen.text(of: $0) } ?? ""
            return screen.write(text) ? .ok : .notWritten
        } catch let failure as Failure {
            screen.complain("crypticker: \(failure.reason)")
            return failure.code
        } catch {
            screen.complain("crypticker: \(error)")
            return .noPrices
        }
    }

    /// A day as it is typed or as the widget's URL has it.
    static func day(_ text: String) throws(Failure) -> CivilDay {
        let start = "crypticker://day/"
        let isURL = text.utf8.starts(with: start.utf8)
        if let day = CivilDay(isURL ? String(text.dropFirst(start.count)) : text) { return day }
        throw Failure(
            reason: "'\(text)' is not a day; write it as 2026-11-01 or crypticker://day/2026-11-01", code: .usage)
    }

    /// - Returns: the currency, and whether it counts from now on, or from the next start of todayd.
    private func set(_ code: String) throws(Failure) -> (currency: Currency, isSet: Bool) {
        guard let currency = Currency(code) else {
            throw Failure(reason: "--currency: '\(code)' is not a code of 3 to 5 letters, such as usd", code: .usage)
        }
        do throws(TodayError) {
            let calls = PendingCalls(suiteName: PriceSettings.group)
            return (currency, try calls.setNowOrLater(currency.code, forKey: PriceSettings.currencyKey))
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

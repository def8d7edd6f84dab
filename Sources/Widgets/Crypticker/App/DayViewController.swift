// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Glibc
import JSON
import Platform
import Rendering
import TodayKit
import TodayModel

/// The app's page: the price of a day and a chart of thirty days, as a view and as JSON.
@MainActor
final class DayViewController: CurrencyDataViewController {
    /// - Parameter day: the day that the user has asked for; nil for the newest price.
    /// - Returns: whether there is a price.
    func select(_ day: CivilDay?) -> Bool {
        self.day = day.flatMap { history?.price(on: $0) }
        return day == nil || self.day != nil
    }

    var view: TodayModel.View? { body.loweredToOne(Inherited(mode: .expanded)) }

    private var body: some TodayKit.View {
        VStack {
            if let price {
                Text("Bitcoin on \(price.date.text)").font(.caption)
                HStack {
                    priceLabel
                    if change != nil { priceChangeLabel(" against the day before") }
                }
                // The baseline at the day's price shows on which days the price was higher.
                lineChartView(span, baseline: price.price)
            }
            if let rangeText { Text(rangeText).font(.caption) }
            if let sampleText { Text(sampleText).font(.caption) }
        }
    }

    private var span: String? {
        guard let history, let first = history.days.first else { return nil }
        return "\(first.date.text) to \(history.latest.date.text)"
    }

    var json: JSONObject {
        guard let history, let price else { return [:] }
        var object: JSONObject = [
            "date": .string(price.date.text), "currency": .string(history.currency.code), "price": .double(price.price),
        ]
        if let change {
            object["change"] = .object([
                "amount": .double(change.amount), "percent": .double(change.fraction * 100),
            ])
        }
        object["days"] = .array(
            history.days.map { .object(["date": .string($0.date.text), "price": .double($0.price)]) })
        if prices?.isSample == true { object["sample"] = true }
        return object
    }
}

/// Prints with the characters and colours that the terminal supports, by the same rules as todayctl.
struct Screen {
    private let presentation: Presentation

    init(_ variables: EnvironmentVariables) {
        presentation = Presentation(
            width: TerminalWidth.of(STDOUT_FILENO, variables), charset: Charset { variables[$0] },
            colors: isatty(STDOUT_FILENO) == 1 ? ColorDepth(ofTerminal: { variables[$0] }) : .none,
            now: WallTime(microseconds: 0))
    }

    func text(of view: TodayModel.View) -> String {
        presentation.lines(of: view, mode: .expanded).reduce(into: "") { $0 += $1.text(presentation.colors) + "\n" }
    }

    /// - Returns: whether the text could be written.
    func write(_ text: String) -> Bool { Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes to the standard error stream. Replaces control characters, because the text may quote arguments.
    func writeError(_ text: String) {
        let lines = Printable.lines(of: text, presentation.charset)
        _ = Descriptor.writeAll(Array(lines.reduce(into: "") { $0 += $1.text + "\n" }.utf8), to: STDERR_FILENO)
    }

    func waitForEnter() {
        guard isatty(STDIN_FILENO) == 1 else { return }
        writeError("Press Enter to close.")
        _ = readLine()
    }
}

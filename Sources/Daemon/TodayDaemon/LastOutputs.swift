// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// What todayd remembers of the last output of each program: the beginning of one that failed, and what it did not understand
/// of one that it could read; and the last URL that it refused to open. It is in memory alone.
@LoopActor
final class LastOutputs {
    struct Output: Equatable {
        var printed: Printed?
        var notes: [String] = []
    }

    private var outputs: [WidgetID: Output] = [:]

    /// Until the user presses a button again.
    private var refusedOpens: [WidgetID: String] = [:]

    subscript(_ widget: WidgetID) -> Output {
        var output = outputs[widget] ?? Output()
        if let refusal = refusedOpens[widget] { output.notes.append(refusal) }
        return output
    }

    func note(_ outcome: RunOutcome) {
        let output = Output(printed: outcome.isFailure ? outcome.printed : nil, notes: outcome.notes)
        outputs[outcome.widget] = output == Output() ? nil : output
    }

    func pressBegan(_ widget: WidgetID) { refusedOpens[widget] = nil }

    func refusedToOpen(_ url: String, for widget: WidgetID, because reason: String) {
        refusedOpens[widget] = PlainText.line("todayd did not open \(url): \(reason)", upTo: RunRecord.reasonBytes)
    }

    func keep(where isThere: (WidgetID) -> Bool) {
        outputs = outputs.filter { isThere($0.key) }
        refusedOpens = refusedOpens.filter { isThere($0.key) }
    }
}

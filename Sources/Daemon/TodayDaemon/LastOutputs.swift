// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// What todayd remembers of the last output of each program: the beginning of one that failed, and what it did not understand
/// of one that it could read. It is in memory alone.
@LoopActor
final class LastOutputs {
    struct Output: Equatable {
        var printed: Printed?
        var notes: [String] = []
    }

    private var outputs: [WidgetID: Output] = [:]

    subscript(_ widget: WidgetID) -> Output { outputs[widget] ?? Output() }

    func note(_ outcome: RunOutcome) {
        let output = Output(printed: outcome.isFailure ? outcome.printed : nil, notes: outcome.notes)
        outputs[outcome.widget] = output == Output() ? nil : output
    }

    func keep(where isThere: (WidgetID) -> Bool) { outputs = outputs.filter { isThere($0.key) } }
}

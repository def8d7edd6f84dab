// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// What programs printed in their last run if it failed: the first question about such a widget. It is in memory alone.
@LoopActor
final class FailedOutputs {
    private var outputs: [WidgetID: Printed] = [:]

    subscript(_ widget: WidgetID) -> Printed? { outputs[widget] }

    func note(_ outcome: RunOutcome) { outputs[outcome.widget] = outcome.isFailure ? outcome.printed : nil }

    func keep(where isThere: (WidgetID) -> Bool) { outputs = outputs.filter { isThere($0.key) } }
}

// SPDX-License-Identifier: MIT
import Formats
import TodayModel

extension RunOutcome {
    private var ended: WallTime { started + duration }

    /// Takes what the widget says, in the light of what is known of it.
    mutating func take(_ answer: WidgetAnswer, to request: RunRequest) {
        switch answer {
        case .newData(let content):
            nextAsk = content.nextAsk
            // New data that looks like what is shown is none: no host is woken for it. While the widget is edited
            // something else is shown than its last answer.
            let isNew = request.isEditing || !content.looksLike(request.previous)
            result = isNew ? .newData(content) : .noData
        case .noData where request.previous == nil && request.errand == nil:
            take(OutputError.nothingKnown)
        case .noData(let wait):
            nextAsk = wait.map(NextAsk.wait) ?? standingAsk(request)
            result = .noData
        }
    }

    /// Takes why there is nothing.
    mutating func take(_ failure: OutputError) {
        nextAsk = failure.wait.map(NextAsk.wait)
        result = .failed(failure.description(afterComplaint: RunEnding.lastLine(of: errorOutput)))
    }

    /// What the timeline says that still holds, unless its time to ask has come.
    private func standingAsk(_ request: RunRequest) -> NextAsk? {
        guard let previous = request.previous, previous.timeline != nil else { return nil }
        let ask = previous.nextAsk
        if case .date(let date) = ask, date <= ended { return nil }
        return ask
    }
}

extension Content {
    /// Whether hosts would show the same, now and later. When to ask next is nothing to show: a widget that counts it
    /// down has no new content every time.
    fileprivate func looksLike(_ other: Content?) -> Bool {
        guard var other else { return false }
        other.nextUpdate = nextUpdate
        return self == other
    }
}

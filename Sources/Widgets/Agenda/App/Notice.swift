// SPDX-License-Identifier: MIT
import AgendaStore
import Platform
import TodayKit

/// Tells todayd that the agenda is another: the widget need not run for it. Where no todayd runs it leaves a note for it.
struct Notice {
    static let widget = "org.todayd.agenda"
    /// A value without a meaning: that it is another one starts the widgets of the group. Unlike a request to update it is
    /// not answered by a run that has read the agenda already.
    private static let changedKey = "changed"

    let screen: Screen
    let isVerbose: Bool

    /// - Parameter showing: there is something to do, so the widget has content.
    /// - Returns: false where a todayd has this widget and it cannot be told, which is said.
    func post(showing: Bool) -> Bool {
        do throws(TodayError) {
            return try tell(showing)
        } catch {
            return report(error, showing)
        }
    }

    private func tell(_ showing: Bool) throws(TodayError) -> Bool {
        if GroupContainer.isHiddenFromWidgets {
            // A todayd that knows nothing of the group has no such widget either, and says so here.
            _ = try GroupDefaults(suiteName: AgendaStore.group).values()
            screen.complain(
                """
                agenda: the widget cannot see this: its todayd runs as another user, who may not open your agenda. Run one \
                of your own: systemctl --user enable --now todayd
                """)
            return false
        }
        if showing { try NCWidgetController().setHasContent(true, forWidgetWithBundleIdentifier: Self.widget) }
        try GroupDefaults(suiteName: AgendaStore.group).set(Self.moment, forKey: Self.changedKey)
        return true
    }

    private func report(_ error: TodayError, _ showing: Bool) -> Bool {
        switch error {
        case .unavailable:
            return leaveNote(showing, because: error)
        case .noSuchWidget, .noSuchGroup:
            if isVerbose { screen.complain("agenda: no widget is told: \(error)") }
            return true
        case .refused, .notStored, .system:
            screen.complain("agenda: the agenda is changed, but the widget is not told: \(error)")
            return false
        }
    }

    private func leaveNote(_ showing: Bool, because reason: TodayError) -> Bool {
        do throws(TodayError) {
            let note = PendingCalls(suiteName: AgendaStore.group)
            if showing { try note.setHasContent(true, forWidgetWithBundleIdentifier: Self.widget) }
            try note.set(Self.moment, forKey: Self.changedKey)
        } catch {
            screen.complain("agenda: the agenda is changed, but the widget will not be told: \(error)")
            return false
        }
        if isVerbose { screen.complain("agenda: the widget is told when todayd starts: \(reason)") }
        // A todayd that has started meanwhile may have looked for notes before this one was there.
        do throws(TodayError) {
            return try tell(showing)
        } catch {
            if case .unavailable = error { return true }
            return report(error, showing)
        }
    }

    private static var moment: String {
        let now = SystemClock.realtime.nanoseconds
        return "\(now / 1_000_000_000).\(now % 1_000_000_000)"
    }
}

// SPDX-License-Identifier: MIT
import AgendaStore
import Platform
import TodayKit

/// Tells todayd that the agenda has changed; the widget need not run for that. If todayd does not run, the notice waits in
/// a file until todayd starts.
struct Notice {
    static let widget = "org.todayd.agenda"
    /// The key of a value that has no meaning. todayd launches the group's widgets when it changes. A request to update
    /// would not be enough: a run that has already read the agenda may answer it.
    private static let changedKey = "changed"

    let screen: Screen
    let isVerbose: Bool

    /// - Parameter showsWidget: whether to set the has-content flag to true, because there is something to do.
    /// - Returns: false if todayd has the widget and the notice fails. The user has been told why.
    func post(showsWidget: Bool) -> Bool {
        do throws(TodayError) {
            return try call(showsWidget)
        } catch {
            return report(error, showsWidget)
        }
    }

    private func call(_ showsWidget: Bool) throws(TodayError) -> Bool {
        if GroupContainer.isHiddenFromWidgets {
            // If that todayd has no such group, it has no such widget either: this call throws, and there is nothing to tell.
            _ = try GroupDefaults(suiteName: AgendaStore.group).values()
            screen.writeError(
                """
                agenda: the widget cannot see this: its todayd runs as another user, who may not open your agenda. Run one \
                of your own: systemctl --user enable --now todayd
                """)
            return false
        }
        if showsWidget { try NCWidgetController().setHasContent(true, forWidgetWithBundleIdentifier: Self.widget) }
        try GroupDefaults(suiteName: AgendaStore.group).set(Self.timestamp, forKey: Self.changedKey)
        return true
    }

    private func report(_ error: TodayError, _ showsWidget: Bool) -> Bool {
        switch error {
        case .unavailable:
            return leavePendingCalls(showsWidget, because: error)
        case .noSuchWidget, .noSuchGroup:
            if isVerbose { screen.writeError("agenda: no widget is told: \(error)") }
            return true
        case .refused, .notStored, .system:
            screen.writeError("agenda: the agenda is changed, but the widget is not told: \(error)")
            return false
        }
    }

    private func leavePendingCalls(_ showsWidget: Bool, because reason: TodayError) -> Bool {
        do throws(TodayError) {
            let calls = PendingCalls(suiteName: AgendaStore.group)
            if showsWidget { try calls.setHasContent(true, forWidgetWithBundleIdentifier: Self.widget) }
            try calls.set(Self.timestamp, forKey: Self.changedKey)
        } catch {
            screen.writeError("agenda: the agenda is changed, but the widget will not be told: \(error)")
            return false
        }
        if isVerbose { screen.writeError("agenda: the widget is told when todayd starts: \(reason)") }
        // todayd may have started meanwhile, and may have read the file before these calls were in it.
        do throws(TodayError) {
            return try call(showsWidget)
        } catch {
            if case .unavailable = error { return true }
            return report(error, showsWidget)
        }
    }

    private static var timestamp: String {
        let now = SystemClock.realtime.nanoseconds
        return "\(now / 1_000_000_000).\(now % 1_000_000_000)"
    }
}

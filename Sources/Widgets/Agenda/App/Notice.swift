// SPDX-License-Identifier: MIT
import AgendaStore
import Platform
import TodayKit

/// Tells todayd that the agenda has changed; the widget need not run for that. If no todayd runs, the widget reads the agenda
/// when one starts.
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
            // Where todayd is installed, the call starts it. It cannot be told later that a hidden widget has something to show.
            if isVerbose {
                let hidden =
                    showsWidget ? "; 'todayctl set-has-content \(Self.widget) true' shows it if it is hidden" : ""
                screen.writeError("agenda: the widget reads this when todayd starts\(hidden): \(error)")
            }
            return true
        case .noSuchWidget, .noSuchGroup:
            if isVerbose { screen.writeError("agenda: no widget is told: \(error)") }
            return true
        case .refused, .notStored, .system:
            screen.writeError("agenda: the agenda is changed, but the widget is not told: \(error)")
            return false
        }
    }

    private static var timestamp: String {
        let now = SystemClock.realtime.nanoseconds
        return "\(now / 1_000_000_000).\(now % 1_000_000_000)"
    }
}

// SPDX-License-Identifier: MIT
import AgendaStore
import Glibc
import TodayKit

/// Tells todayd, if there is one, that the agenda is another: the widget need not run for it.
struct Notice {
    static let widget = "org.todayd.agenda"
    /// A value that nobody reads: that it is another one starts the widgets of the group. Unlike a request to update it is
    /// not answered by a run that has read the agenda already.
    private static let changedKey = "changed"

    let screen: Screen
    let isVerbose: Bool

    /// - Parameter showing: there is something due, so the widget has content.
    func post(showing: Bool) {
        do throws(TodayError) {
            if showing { try NCWidgetController().setHasContent(true, forWidgetWithBundleIdentifier: Self.widget) }
            try GroupDefaults(suiteName: AgendaStore.group).set(Self.moment, forKey: Self.changedKey)
        } catch {
            report(error)
        }
    }

    private func report(_ error: TodayError) {
        switch error {
        case .unavailable, .noSuchWidget, .noSuchGroup, .refused, .system:
            // The agenda is as it should be. No todayd, or none with this widget, is as good as any.
            if isVerbose { screen.complain("agenda: the widget is not told: \(error)") }
        case .notStored:
            screen.complain("agenda: the widget is not told, as todayd cannot store it: \(error)")
        }
    }

    private static var moment: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return "\(now.tv_sec).\(now.tv_nsec)"
    }
}

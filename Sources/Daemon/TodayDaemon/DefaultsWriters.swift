// SPDX-License-Identifier: MIT
import TodayModel

/// Who is changing groups' defaults: from when a change is asked for until it is made or refused.
struct DefaultsWriters {
    /// Widgets, or nil for somebody else, once for each change.
    private var writers: [AppGroup: [WidgetID?]] = [:]

    mutating func begin(_ group: AppGroup, _ writer: WidgetID?) { writers[group, default: []].append(writer) }

    mutating func end(_ group: AppGroup, _ writer: WidgetID?) {
        guard let place = writers[group]?.firstIndex(of: writer) else { return }
        writers[group]?.remove(at: place)
        if writers[group]?.isEmpty == true { writers[group] = nil }
    }

    /// The widget which alone changes the group's defaults at present.
    func onlyWriter(of group: AppGroup) -> WidgetID? {
        guard let all = writers[group], let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
        return first
    }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// What may have changed since it was last read.
struct Suspicion {
    var widgets: Set<WidgetID> = []
    var settings = false
    var everything = false

    var isEmpty: Bool { widgets.isEmpty && !settings && !everything }
}

extension Registry.Change {
    /// Nil before or after means that it is not there. Both may be, for a moment between two looks.
    init?(from old: Registry.Entry?, to new: Registry.Entry?) {
        switch (old, new) {
        case (let old?, let new?): self = .changed(new, from: old)
        case (let old?, nil): self = .removed(old)
        case (nil, let new?): self = .added(new)
        case (nil, nil): return nil
        }
    }

    var before: Registry.Entry? {
        switch self {
        case .added: nil
        case .changed(_, let old), .removed(let old): old
        }
    }

    /// False for one that was taken back by a second look.
    var isReal: Bool {
        if case .changed(let new, let old) = self { return new != old }
        return true
    }
}

// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Turns what the source says into lines: its content with its age, or why there is none. The source's clock may differ from
/// that of this machine.
struct Relay {
    /// The source, as people call it.
    let host: String
    /// The name of this machine among those that content has come through.
    let machine: String
    private var printed: Item?
    private var trouble: String?

    init(host: String, machine: String) {
        self.host = host
        self.machine = machine
    }

    /// The lines for a reply of Show. The reader takes ten a second, and of several the newest.
    ///
    /// - Parameter now: the time of the source's clock.
    mutating func lines(_ reply: String, now: WallTime) -> [String] {
        let item: Item?
        do {
            let field = JSONField(root: try JSON.parse(reply, maxValues: 2 * ContentLimits.values))
            item = try field.required("items").array().first.map { try Item($0) }
            if item == nil, try !(field.optional("removed")?.strings() ?? []).isEmpty {
                return failure("the widget no longer exists there")
            }
        } catch {
            return failure("its answer is not understood here: \(error)")
        }
        guard let item, item.source != .draft else { return [] }
        return lines(item, now)
    }

    private mutating func lines(_ item: Item, _ now: WallTime) -> [String] {
        if item.content?.via.contains(machine) == true {
            return failure("the widget there follows this machine: a circle")
        }
        let reason: String? =
            switch item.state {
            case .failing, .invalid: item.failure ?? "it fails there"
            case .masked: "its manifest is masked there"
            case .waiting, .ready, .empty, .hidden, .disabled:
                item.failure ?? (item.stale ? "there has been no newer answer there" : nil)
            }
        var lines: [String] = []
        if item.source != .placeholder, !isPrinted(item), let content = content(of: item, now) {
            lines.append(content)
            (printed, trouble) = (item, nil)
        }
        if let reason {
            lines += failure(reason)
        } else if trouble != nil, let content = content(of: item, now) {
            // Printing the same content again ends the failure.
            (printed, trouble) = (item, nil)
            lines = [content]
        }
        return lines
    }

    /// Whether the content, its age and the end of its freshness have been printed.
    private func isPrinted(_ item: Item) -> Bool {
        guard let printed else { return false }
        return printed.content == item.content && printed.state.isChosen == item.state.isChosen
            && printed.confirmed == item.confirmed && printed.taken == item.taken
            && printed.freshUntil == item.freshUntil
    }

    private func content(of item: Item, _ now: WallTime) -> String? {
        switch item.state {
        // A widget that is hidden there has nothing to show here.
        case .hidden, .disabled: return #"{"empty":true}"#
        case .invalid, .masked: return nil
        case .waiting, .ready, .failing, .empty: break
        }
        guard let content = item.content, case .object(var object) = content.json else { return nil }
        if let taken = item.confirmed ?? item.taken, taken < now {
            object["age"] = .int(min(now - taken, ContentLimits.ages.upperBound).microseconds)
        }
        let fresh = item.freshUntil.map { $0 - now } ?? ContentLimits.nextUpdate.upperBound
        let bounds = ContentLimits.nextUpdate
        object["nextUpdate"] = .int(min(max(fresh, bounds.lowerBound), bounds.upperBound).microseconds)
        object["via"] = JSON((content.via + [machine]).suffix(ContentLimits.machines))
        for view in ["compact", "expanded"] { object[view] = object[view].map(Self.withoutCommands) }
        return JSON.object(object).text
    }

    /// Another machine must not decide which programs are executed on this one.
    private static func withoutCommands(_ view: JSON) -> JSON {
        guard case .object(var object) = view else { return view }
        for key in ["command", "terminal"] { object[key] = nil }
        if case .array(let children)? = object["children"] {
            object["children"] = .array(children.map(withoutCommands))
        }
        return .object(object)
    }

    /// A line that reports a failure; none if it was the last one printed.
    mutating func failure(_ reason: String) -> [String] {
        let words = Content.summary(PlainText.line("\(host): \(reason)"))
        if trouble == words { return [] }
        trouble = words
        return [JSON.object(["failed": .string(words)]).text]
    }
}

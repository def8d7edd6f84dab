// SPDX-License-Identifier: MIT

/// What a widget has to show, layer upon layer: what is shown is a pure function of these and the time.
///
/// | layer | from | kept | ends |
/// | --- | --- | --- | --- |
/// | draft | the widget while it is edited | memory | done, cancelled, its process ends, five minutes untouched |
/// | pushed | outside | disk | its time to live is over, it is taken back |
/// | own | the widget's last good answer | disk | the next one |
/// | placeholder | the widget before its first answer | memory | its first answer |
package struct Layers: Hashable, Sendable {
    /// The widget's last good answer.
    package struct Own: Hashable, Sendable {
        package var content: Content
        /// When an update gave it. Buttons, display modes and editing draw it anew and make it no younger.
        package var taken: WallTime
        /// When an update last found that it still holds (`noData`); the time it was taken where none has yet.
        package var confirmed: WallTime

        package init(_ content: Content, taken: WallTime, confirmed: WallTime? = nil) {
            self.content = content
            self.taken = taken
            self.confirmed = confirmed ?? taken
        }
    }

    /// Content from outside.
    package struct Pushed: Hashable, Sendable {
        package var content: Content
        package var taken: WallTime
        /// Nil is until it is taken back or another is pushed.
        package var expires: WallTime?
        /// The client, in words.
        package var by: String?

        package init(_ content: Content, taken: WallTime, expires: WallTime? = nil, by: String? = nil) {
            self.content = content
            self.taken = taken
            self.expires = expires
            self.by = by
        }
    }

    /// What the widget shows while it is edited.
    package struct Draft: Hashable, Sendable {
        /// Nil until the widget has drawn something.
        package var content: Content?
        /// When a host last edited.
        package var touched: BootTime
        /// The user has done or cancelled, and the widget is not told yet: what it draws is for no eyes.
        package var isEnding = false
        /// The widget has been told to begin, and not yet that it is over: what it draws is an editor.
        package var hasBegun = false

        package static let patience = TimeSpan.minutes(5)
        package var ends: BootTime { touched + Self.patience }

        package init(_ content: Content? = nil, touched: BootTime) {
            self.content = content
            self.touched = touched
        }
    }

    /// The layers that few widgets have: contents are large values, and there may be thousands of widgets.
    private struct Others: Hashable, Sendable {
        var draft: Draft?
        var pushed: Pushed?
        var placeholder: Content?
    }

    package var own: Own?
    /// One element, or none where all of them are nil.
    private var others: [Others] = []

    package init(draft: Draft? = nil, pushed: Pushed? = nil, own: Own? = nil, placeholder: Content? = nil) {
        self.own = own
        self.draft = draft
        self.pushed = pushed
        self.placeholder = placeholder
    }

    package var draft: Draft? {
        get { others.first?.draft }
        set { changeOthers { $0.draft = newValue } }
    }

    package var pushed: Pushed? {
        get { others.first?.pushed }
        set { changeOthers { $0.pushed = newValue } }
    }

    package var placeholder: Content? {
        get { others.first?.placeholder }
        set { changeOthers { $0.placeholder = newValue } }
    }

    private mutating func changeOthers(_ body: (inout Others) -> Void) {
        var changed = others.first ?? Others()
        body(&changed)
        others = changed.draft == nil && changed.pushed == nil && changed.placeholder == nil ? [] : [changed]
    }

    package var isEmpty: Bool { own == nil && others.isEmpty }

    /// Whether hosts show that the widget is edited.
    package func isEdited(at now: BootTime) -> Bool { draft.map { !$0.isEnding && $0.ends > now } ?? false }
}

// MARK: - What is shown

extension Layers {
    package enum Source: String, CaseIterable, Sendable {
        case placeholder, own, pushed, draft
    }

    /// What hosts get at a moment.
    package struct Shown: Hashable, Sendable {
        package var content: Content
        package var source: Source
        package var taken: WallTime?
        package var confirmed: WallTime?
        package var isStale = false
        /// When it will be different by itself, unless the clock is set; no later than it really will.
        package var changes: BootTime?

        package init(
            content: Content, source: Source, taken: WallTime? = nil, confirmed: WallTime? = nil, isStale: Bool = false
        ) {
            self.content = content
            self.source = source
            self.taken = taken
            self.confirmed = confirmed
            self.isStale = isStale
        }
    }

    /// The uppermost layer that has something at this moment.
    ///
    /// - Parameter freshUntil: from then on what the widget has said itself is stale; nil is never.
    package func shown(at now: Moment, freshUntil: AwakeTime? = nil) -> Shown? {
        var changes: [BootTime] = []
        let shown = uppermost(at: now, freshUntil: freshUntil, &changes)
        return shown.map { shown in
            var shown = shown
            shown.changes = changes.filter { $0 > now.boot }.min()
            return shown
        }
    }

    private func uppermost(at now: Moment, freshUntil: AwakeTime?, _ changes: inout [BootTime]) -> Shown? {
        func note(_ content: Content) { content.nextChange(after: now.wall).map { changes.append(now.boot(at: $0)) } }
        let isStale = own != nil && freshUntil.map { $0 <= now.awake } ?? false
        if own != nil, let freshUntil { changes.append(now.boot(at: freshUntil)) }
        if isEdited(at: now.boot), let draft, let content = draft.content {
            changes.append(draft.ends)
            note(content)
            return Shown(
                content: content.shown(at: now.wall), source: .draft, taken: own?.taken, confirmed: own?.confirmed,
                isStale: isStale)
        }
        if let pushed, pushed.expires.map({ $0 > now.wall }) ?? true {
            pushed.expires.map { changes.append(now.boot(at: $0)) }
            note(pushed.content)
            return Shown(
                content: pushed.content.shown(at: now.wall), source: .pushed, taken: pushed.taken,
                confirmed: pushed.taken)
        }
        if let own {
            note(own.content)
            return Shown(
                content: own.content.shown(at: now.wall), source: .own, taken: own.taken, confirmed: own.confirmed,
                isStale: isStale)
        }
        if let placeholder {
            note(placeholder)
            return Shown(content: placeholder.shown(at: now.wall), source: .placeholder)
        }
        return nil
    }
}

// MARK: - What changes it

extension Layers {
    /// What a run has changed of the widget's own layer.
    package enum OwnChange: Hashable, Sendable { case none, times, content }

    /// Takes what became of a run.
    package mutating func apply(_ outcome: RunOutcome) -> OwnChange {
        let ended = outcome.started + outcome.duration
        switch outcome.result {
        case .newData(let content) where outcome.isEditing:
            // What the widget draws while it is edited is an editor: nothing to keep.
            if draft?.isEnding == false { draft?.content = content }
            return .none
        case .newData(let content) where outcome.isErrand && own == nil:
            // A button is no update: what it draws has no age, and is no answer.
            placeholder = content
            return .none
        case .newData(let content):
            if outcome.isErrand { own?.content = content } else { own = Own(content, taken: ended) }
            if !others.isEmpty { placeholder = nil }
            return .content
        case .noData:
            return confirm(outcome, at: ended)
        case .failed:
            if outcome.errand == .beginEditing { draft = nil }
            return .none
        }
    }

    /// An update that succeeded says that the widget's last answer holds.
    private mutating func confirm(_ outcome: RunOutcome, at ended: WallTime) -> OwnChange {
        guard !outcome.isErrand, own != nil else { return .none }
        own?.confirmed = ended
        return .times
    }

    /// A host edits.
    package mutating func edit(at now: BootTime) {
        var editing = draft ?? Draft(touched: now)
        if editing.isEnding { (editing.isEnding, editing.content) = (false, nil) }
        editing.touched = now
        draft = editing
    }
}

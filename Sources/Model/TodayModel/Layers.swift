// SPDX-License-Identifier: MIT

/// The contents of a widget, in layers. What is shown is a pure function of the layers and the time.
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
        /// One element, because contents are large values, and the layer is copied at each step of a run.
        private var contents: [Content]
        /// When an update gave the content. A button, a display mode or editing changes the content but not this time.
        package var taken: WallTime
        /// When an update last confirmed the content (`noData`); equal to `taken` if none has.
        package var confirmed: WallTime

        package init(_ content: Content, taken: WallTime, confirmed: WallTime? = nil) {
            contents = [content]
            self.taken = taken
            self.confirmed = confirmed ?? taken
        }

        package var content: Content {
            get { contents[0] }
            set { contents = [newValue] }
        }
    }

    /// Content that a client has pushed.
    package struct Pushed: Hashable, Sendable {
        package var content: Content
        package var taken: WallTime
        /// Nil: the content stays until a client takes it back or pushes another.
        package var expires: WallTime?
        /// The client, in words for people.
        package var by: String?

        package init(_ content: Content, taken: WallTime, expires: WallTime? = nil, by: String? = nil) {
            self.content = content
            self.taken = taken
            self.expires = expires
            self.by = by
        }
    }

    /// What the widget shows while the user edits it.
    package struct Draft: Hashable, Sendable {
        /// Nil until the widget has drawn its editor.
        package var content: Content?
        /// When a host last requested editing.
        package var touched: BootTime
        /// The user has ended or cancelled editing, and the widget has not been told yet. Hosts do not show what it
        /// draws now.
        package var isEnding = false
        /// The widget has been told that editing begins, but not that it ends: what it draws is an editor.
        package var hasBegun = false

        package static let patience = TimeSpan.minutes(5)
        package var ends: BootTime { touched + Self.patience }

        package init(_ content: Content? = nil, touched: BootTime) {
            self.content = content
            self.touched = touched
        }
    }

    /// The layers that few widgets have. They are stored apart because contents are large values and there may be
    /// thousands of widgets.
    private struct Others: Hashable, Sendable {
        var draft: Draft?
        var pushed: Pushed?
        var placeholder: Content?
    }

    package var own: Own?
    /// One element, or none if all three layers are nil.
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

    /// Whether hosts show that the user is editing the widget.
    package func isEdited(at now: BootTime) -> Bool { draft.map { !$0.isEnding && $0.ends > now } ?? false }
}

// MARK: - What is shown

extension Layers {
    package enum Source: String, WireWord {
        case placeholder, own, pushed, draft
    }

    /// What hosts show at one moment.
    package struct Shown: Hashable, Sendable {
        package var content: Content
        package var source: Source
        package var taken: WallTime?
        package var confirmed: WallTime?
        package var isStale = false
        /// When `shown` will return something else because time passes, unless the clock is set. Never later than the
        /// true time.
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

    /// The uppermost layer that has content at this moment.
    ///
    /// - Parameter freshUntil: the widget's own content is stale from then on; nil means never.
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
    /// How a run changed the widget's own layer.
    package enum OwnChange: Hashable, Sendable { case none, times, content }

    /// Applies the outcome of a run.
    package mutating func apply(_ outcome: RunOutcome) -> OwnChange {
        let ended = outcome.started + outcome.duration - outcome.age
        switch outcome.result {
        case .newData(let content) where outcome.isEditing:
            // While the user edits, the widget draws an editor, which is not kept.
            if draft?.isEnding == false { draft?.content = content }
            return .none
        case .newData(let content) where outcome.isInteraction && own == nil:
            // A button is not an update: the content it draws has no age and does not become the widget's own layer.
            placeholder = content
            return .none
        case .newData(let content):
            if outcome.isInteraction { own?.content = content } else { own = Own(content, taken: ended) }
            if !others.isEmpty { placeholder = nil }
            return .content
        case .noData:
            return confirm(outcome, at: ended)
        case .failed:
            if outcome.interaction == .beginEditing { draft = nil }
            return .none
        }
    }

    /// A successful update without data confirms the widget's last answer.
    private mutating func confirm(_ outcome: RunOutcome, at ended: WallTime) -> OwnChange {
        guard !outcome.isInteraction, !outcome.isSilent, own != nil else { return .none }
        own?.confirmed = ended
        return .times
    }

    /// A host begins or continues editing.
    package mutating func edit(at now: BootTime) {
        var editing = draft ?? Draft(touched: now)
        if editing.isEnding { (editing.isEnding, editing.content) = (false, nil) }
        editing.touched = now
        draft = editing
    }
}

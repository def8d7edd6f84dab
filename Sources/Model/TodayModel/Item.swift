// SPDX-License-Identifier: MIT
import JSON

/// A widget as a host shows it.
package struct Item: Hashable, Sendable {
    package var id: WidgetID
    package var name: String
    package var face = Face()
    /// The icon of a widget without content, which otherwise has it.
    package var icon: String?
    /// What its manifest is for.
    package var points: [ExtensionPoint]
    /// The places in which the user shows it.
    package var places: [ExtensionPoint]
    package var position: Int
    package var state: WidgetState
    package var mode: DisplayMode
    package var largestMode: DisplayMode
    package var allowsEditing = false
    /// Whether the user is editing the widget: hosts show Done in place of Info.
    package var isEdited = false
    /// The schemes of URLs that the widget may open.
    package var urlSchemes: [String] = []
    /// The room in the widget's mode.
    package var size: Size
    package var content: Content?
    /// The layer of the content.
    package var source: Layers.Source?
    /// For pushed content: which client pushed it, and until when it is shown.
    package var pushedBy: String?
    package var expires: WallTime?
    package var taken: WallTime?
    package var confirmed: WallTime?
    package var stale = false
    /// How long the widget's own content stays fresh, as far as is known now. Hosts mark it stale by themselves then, because
    /// todayd may have ended or hang.
    package var freshUntil: WallTime?
    /// Whether the widget's program stays and reports each change, so that the age of its content says nothing.
    package var isLive = false
    package var failure: String?
    /// What shows the widget, if a choice of the user or of its app hides it.
    package var cure: Cure?

    package var isVisible: Bool { state.isVisible }

    /// What hosts draw before its name.
    package var symbol: String? { content == nil ? icon : content?.icon }

    /// The item at a later time.
    package func at(_ now: WallTime) -> Item {
        guard !stale, let freshUntil, freshUntil <= now else { return self }
        var item = self
        item.stale = true
        return item
    }

    /// Whether the widget is in the view of an extension point.
    package func isShown(at point: ExtensionPoint) -> Bool { isVisible && places.contains(point) }

    /// The item in the list of an extension point: its cure is what shows it there.
    package func listed(at point: ExtensionPoint) -> Item {
        guard cure?.place != nil || cure == nil else { return self }
        var item = self
        item.cure = state.runs && !places.contains(point) ? Cure(showingAt: point) : nil
        return item
    }

    package init(
        id: WidgetID, name: String, points: [ExtensionPoint], position: Int, state: WidgetState,
        mode: DisplayMode = .compact, largestMode: DisplayMode = .compact
    ) {
        self.id = id
        self.name = name
        self.points = points
        places = Choices().places(of: points)
        self.position = position
        self.state = state
        self.mode = mode
        self.largestMode = largestMode
        size = DisplaySizes.standard[mode]
    }
}

/// In the form of org.todayd.Today's `Item`.
extension Item: WireObject {
    package static var blank: Self { Item(id: .blank, name: "", points: [], position: 0, state: .ready) }

    package mutating func list(_ members: inout WireMembers) {
        members("id", &id)
        members("name", &name)
        members("icon", &icon)
        members("points", &points)
        members("position", &position)
        members.write("visible", .bool(isVisible))
        members("state", &state)
        members("mode", &mode)
        members("largestMode", &largestMode)
        members("places", &places)
        members(ifAny: "allowsEditing", &allowsEditing)
        members(ifAny: "editing", &isEdited)
        members(ifAny: "urlSchemes", &urlSchemes)
        list(size: &members)
        members.write("face", face.json)
        members.read { field throws(JSONMismatch) in
            if let field = try field.optional("face") { face = try Face(field) }
        }
        members.write("content", content?.json)
        members(known: "source", &source)
        members("pushedBy", &pushedBy)
        members("expires", &expires)
        members("taken", &taken)
        members("confirmed", &confirmed)
        members("stale", &stale)
        members("freshUntil", &freshUntil)
        var live = isLive ? true : nil
        members("live", &live)
        isLive = live ?? false
        members("failure", &failure)
        members(known: "cure", &cure)
        members.read { field throws(JSONMismatch) in
            guard let drawn = try field.optional("content") else { return }
            do throws(JSONMismatch) {
                content = try Content(drawn)
            } catch {
                // A newer daemon may send content that this client cannot decode. The client still shows all other widgets.
                failure = "its content is not understood here: \(error)"
            }
        }
    }

    private mutating func list(size members: inout WireMembers) {
        members.write("columns", JSON(size.columns))
        members.write("rows", JSON(size.rows))
        members.read { field throws(JSONMismatch) in
            if let columns = try field.optional("columns")?.int(in: DisplaySizes.columnRange),
                let rows = try field.optional("rows")?.int(in: DisplaySizes.rowRange)
            {
                size = Size(columns: columns, rows: rows)
            }
        }
    }
}

extension UpdateAnswer: WireObject {
    package static var blank: Self { UpdateAnswer(id: .blank, answer: .noData) }

    package mutating func list(_ members: inout WireMembers) {
        members("id", &id)
        members("answer", &answer)
        members("reason", &reason)
        members("open", &open)
    }
}

extension Event: WireObject {
    package static var blank: Self { Event(time: WallTime(microseconds: 0), kind: .changed, text: "") }

    package mutating func list(_ members: inout WireMembers) {
        members("time", &time)
        members("kind", &kind)
        members("id", &id)
        members("text", &text)
    }
}

extension JSONField {
    package func widget() throws(JSONMismatch) -> WidgetID {
        guard let id = WidgetID(try string()) else { throw fail("is not a widget identifier") }
        return id
    }

    package func wallTime() throws(JSONMismatch) -> WallTime { WallTime(microseconds: Int64(try int())) }

    /// In microseconds.
    package func span(in range: ClosedRange<Int>) throws(JSONMismatch) -> TimeSpan {
        TimeSpan(microseconds: Int64(try int(in: range)))
    }

    package func strings() throws(JSONMismatch) -> [String] { try [String].read(self) }

    /// One of the words of an enumeration. The function is in the module of the enumerations, so that the compiler specializes
    /// it for each.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type = Choice.self
    ) throws(JSONMismatch) -> Choice where Choice.RawValue == String {
        let word = try string()
        if let choice = Choice(rawValue: word) { return choice }
        throw fail(JSONField.notOneOf(Choice.allCases.map(\.rawValue), word))
    }
}

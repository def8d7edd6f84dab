// SPDX-License-Identifier: MIT
import JSON

/// A widget as a host shows it.
package struct Item: Hashable, Sendable {
    package var id: WidgetID
    package var name: String
    package var face = Face()
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
    package var failure: String?
    /// What shows the widget, if a choice of the user or of its app hides it.
    package var cure: Cure?

    package var isVisible: Bool { state.isVisible }

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

extension Item {
    /// In the form of org.todayd.Today's `Item`.
    package var json: JSON {
        var object: JSONObject = [
            "id": .string(id.text), "name": .string(name), "points": .array(points.map { .string($0.rawValue) }),
            "position": .int(Int64(position)), "visible": .bool(isVisible), "state": .string(state.rawValue),
            "mode": .string(mode.rawValue), "largestMode": .string(largestMode.rawValue),
            "places": .array(places.map { .string($0.rawValue) }), "allowsEditing": .bool(allowsEditing),
            "editing": .bool(isEdited),
            "urlSchemes": JSON(urlSchemes), "columns": JSON(size.columns), "rows": JSON(size.rows),
        ]
        object["face"] = face.json
        object["content"] = content?.json
        object["source"] = source.map { .string($0.rawValue) }
        object["pushedBy"] = pushedBy.map(JSON.string)
        object["expires"] = expires.map { .int($0.microseconds) }
        object["taken"] = taken.map { .int($0.microseconds) }
        object["confirmed"] = confirmed.map { .int($0.microseconds) }
        object["stale"] = .bool(stale)
        object["freshUntil"] = freshUntil.map { .int($0.microseconds) }
        object["failure"] = failure.map(JSON.string)
        object["cure"] = cure.map { .string($0.rawValue) }
        return .object(object)
    }

    /// Decodes what a daemon sent, for clients.
    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            id: try field.required("id").widget(), name: try field.required("name").string(),
            points: try field.required("points").choices(ExtensionPoint.self),
            position: try field.required("position").int(),
            state: try field.required("state").choice(WidgetState.self),
            mode: try field.required("mode").choice(DisplayMode.self),
            largestMode: try field.required("largestMode").choice(DisplayMode.self))
        places = try field.required("places").choices(ExtensionPoint.self)
        allowsEditing = try field.optional("allowsEditing")?.bool() ?? false
        isEdited = try field.optional("editing")?.bool() ?? false
        if let field = try field.optional("face") { face = try Face(field) }
        urlSchemes = try field.optional("urlSchemes")?.strings() ?? []
        if let columns = try field.optional("columns")?.int(in: DisplaySizes.columnRange),
            let rows = try field.optional("rows")?.int(in: DisplaySizes.rowRange)
        {
            size = Size(columns: columns, rows: rows)
        }
        // A newer daemon may have more layers.
        source = try field.optional("source").flatMap { Layers.Source(rawValue: $0.value.stringValue ?? "") }
        pushedBy = try field.optional("pushedBy")?.string()
        expires = try field.optional("expires")?.wallTime()
        taken = try field.optional("taken")?.wallTime()
        confirmed = try field.optional("confirmed")?.wallTime()
        stale = try field.required("stale").bool()
        freshUntil = try field.optional("freshUntil")?.wallTime()
        failure = try field.optional("failure")?.string()
        cure = try field.cure()
        guard let drawn = try field.optional("content") else { return }
        do throws(JSONMismatch) {
            content = try Content(drawn)
        } catch {
            // A newer daemon may send content that this client cannot decode. The client still shows all other widgets.
            failure = "its content is not understood here: \(error)"
        }
    }
}

extension UpdateAnswer {
    package var json: JSON {
        var object: JSONObject = ["id": .string(id.text), "answer": .string(answer.rawValue)]
        object["reason"] = reason.map(JSON.string)
        object["until"] = until.map { .int($0.microseconds) }
        object["open"] = open.map(JSON.string)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            id: try field.required("id").widget(), answer: try field.required("answer").choice(Answer.self),
            reason: try field.optional("reason")?.string(), until: try field.optional("until")?.wallTime())
        open = try field.optional("open")?.string()
    }
}

extension Event {
    package var json: JSON {
        var object: JSONObject = ["time": .int(time.microseconds), "kind": .string(kind.rawValue)]
        object["id"] = id.map { .string($0.text) }
        object["text"] = .string(text)
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            time: try field.required("time").wallTime(), kind: try field.required("kind").choice(Kind.self),
            id: try field.optional("id")?.widget(), text: try field.required("text").string())
    }
}

extension JSONField {
    package func widget() throws(JSONMismatch) -> WidgetID {
        guard let id = WidgetID(try string()) else { throw fail("is not a widget identifier") }
        return id
    }

    /// Nil for one that only a newer daemon knows.
    func cure() throws(JSONMismatch) -> Cure? {
        try optional("cure").flatMap { Cure(rawValue: $0.value.stringValue ?? "") }
    }

    package func wallTime() throws(JSONMismatch) -> WallTime { WallTime(microseconds: Int64(try int())) }

    func span() throws(JSONMismatch) -> TimeSpan { TimeSpan(microseconds: Int64(try int())) }

    package func strings() throws(JSONMismatch) -> [String] {
        var strings: [String] = []
        for field in try array() { strings.append(try field.string()) }
        return strings
    }

    /// One of the words of an enumeration. The function is in the module of the enumerations, so that the compiler specializes
    /// it for each.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type = Choice.self
    ) throws(JSONMismatch) -> Choice where Choice.RawValue == String {
        let word = try string()
        if let choice = Choice(rawValue: word) { return choice }
        throw fail(JSONField.notOneOf(Choice.allCases.map(\.rawValue), word))
    }

    func choices<Choice>(
        _ type: Choice.Type
    ) throws(JSONMismatch) -> [Choice] where Choice: RawRepresentable<String> & CaseIterable {
        var choices: [Choice] = []
        for field in try array() { choices.append(try field.choice(type)) }
        return choices
    }
}

// SPDX-License-Identifier: MIT
import JSON

extension Item {
    /// As org.todayd.Today's `Item`.
    package var json: JSON {
        var object: JSONObject = [
            "id": .string(id.text), "name": .string(name), "points": .array(points.map { .string($0.rawValue) }),
            "position": .int(Int64(position)), "visible": .bool(isVisible), "state": .string(state.rawValue),
            "mode": .string(mode.rawValue), "largestMode": .string(largestMode.rawValue),
            "lockScreen": .bool(lockScreen), "allowsEditing": .bool(allowsEditing), "editing": .bool(isEdited),
            "urlSchemes": JSON(urlSchemes), "columns": JSON(size.columns), "rows": JSON(size.rows),
        ]
        object["content"] = content?.json
        object["source"] = source.map { .string($0.rawValue) }
        object["pushedBy"] = pushedBy.map(JSON.string)
        object["expires"] = expires.map { .int($0.microseconds) }
        object["taken"] = taken.map { .int($0.microseconds) }
        object["confirmed"] = confirmed.map { .int($0.microseconds) }
        object["stale"] = .bool(stale)
        object["failure"] = failure.map(JSON.string)
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
        lockScreen = try field.required("lockScreen").bool()
        allowsEditing = try field.optional("allowsEditing")?.bool() ?? false
        isEdited = try field.optional("editing")?.bool() ?? false
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
        failure = try field.optional("failure")?.string()
        guard let drawn = try field.optional("content") else { return }
        do throws(JSONMismatch) {
            content = try Content(drawn)
        } catch {
            // A newer daemon may send what is unknown here. All other widgets can be shown nevertheless.
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
        guard let id = WidgetID(try string()) else { throw fail("is no widget identifier") }
        return id
    }

    func wallTime() throws(JSONMismatch) -> WallTime { WallTime(microseconds: Int64(try int())) }

    func span() throws(JSONMismatch) -> TimeSpan { TimeSpan(microseconds: Int64(try int())) }

    func strings() throws(JSONMismatch) -> [String] {
        var strings: [String] = []
        for field in try array() { strings.append(try field.string()) }
        return strings
    }

    func choices<Choice>(
        _ type: Choice.Type
    ) throws(JSONMismatch) -> [Choice] where Choice: RawRepresentable<String> & CaseIterable {
        var choices: [Choice] = []
        for field in try array() { choices.append(try field.choice(type)) }
        return choices
    }
}

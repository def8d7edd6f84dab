// SPDX-License-Identifier: MIT
import JSON

extension Timeline {
    private enum PolicyWord: String, CaseIterable { case end, after, never }

    /// Reads the fields `timeline`, `policy` and `after` of content.
    static func read(from content: JSONField) throws(JSONMismatch) -> Timeline? {
        let after = try content.optional("after")
        let word = try content.optional("policy")
        guard let list = try content.optional("timeline") else {
            if let field = after ?? word { throw field.fail("goes with a timeline only") }
            return nil
        }
        let fields = try list.array()
        guard !fields.isEmpty else { throw list.fail("has no entries") }
        guard fields.count <= ContentLimits.timelineEntries else {
            throw list.fail("has \(fields.count) entries, more than \(ContentLimits.timelineEntries)")
        }
        var entries: [Entry] = []
        for field in fields {
            try field.noOtherKeys(than: ["date", "content"])
            let content = try Content(try field.required("content"), isEntry: true)
            entries.append(Entry(date: try field.required("date").date(), content: content))
        }
        switch (try word?.choice(PolicyWord.self), after) {
        case (.after?, nil): throw content.fail("has the policy after, but no date named after")
        case (.after?, let date?), (nil, let date?): return Timeline(entries, policy: .after(try date.date()))
        case (.end?, let date?), (.never?, let date?): throw date.fail("goes with the policy after only")
        case (.end?, nil), (nil, nil): return Timeline(entries)
        case (.never?, nil): return Timeline(entries, policy: .never)
        }
    }

    /// Adds the fields to content.
    func write(to object: inout JSONObject) {
        object["timeline"] = .array(
            entries.map { ["date": .int($0.date.microseconds), "content": $0.content.json] })
        switch policy {
        case .end: object["policy"] = .string(PolicyWord.end.rawValue)
        case .never: object["policy"] = .string(PolicyWord.never.rawValue)
        case .after(let date):
            object["policy"] = .string(PolicyWord.after.rawValue)
            object["after"] = .int(date.microseconds)
        }
    }
}

extension Relevance {
    init(_ field: JSONField) throws(JSONMismatch) {
        try field.noOtherKeys(than: ["score", "until"])
        score = try field.required("score").number(in: 0...1)
        until = try field.optional("until")?.date()
    }

    var json: JSON {
        var object: JSONObject = ["score": .double(score)]
        object["until"] = until.map { .int($0.microseconds) }
        return .object(object)
    }
}

extension JSONField {
    /// Microseconds since 1970, as the protocol has it, or a date with its time zone (RFC 3339).
    package func date() throws(JSONMismatch) -> WallTime {
        if case .string(let text) = value {
            guard text.utf8.count <= 64, let date = WallTime(rfc3339: text) else {
                throw fail(
                    "\"\(text.shortened(to: 64))\" is no date with a time zone, such as 2026-11-30T08:00:00+01:00")
            }
            guard ContentLimits.dates.contains(date) else { throw fail("\"\(text)\" is not between 1973 and 9999") }
            return date
        }
        let date = WallTime(microseconds: Int64(try int()))
        guard ContentLimits.dates.contains(date) else {
            throw fail("\(value.text) is no date in microseconds since 1970; seconds times 1000000 are")
        }
        return date
    }
}

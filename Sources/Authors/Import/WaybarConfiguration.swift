// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// One bar of a Waybar configuration with everything that it includes. The file's own values count before included ones;
/// objects are merged.
struct WaybarBar {
    struct Member {
        var key: String
        var value: JSON
        var origin: Origin
    }

    /// Where the bar's object is.
    let origin: Origin
    private(set) var members: [Member] = []
    private var positions: [SpelledText: Int] = [:]

    init(origin: Origin) { self.origin = origin }

    subscript(key: String) -> Member? { positions[SpelledText(key)].map { members[$0] } }

    mutating func merge(_ key: String, _ value: JSON, _ origin: Origin) {
        guard let position = positions[SpelledText(key)] else {
            positions[SpelledText(key)] = members.count
            members.append(Member(key: key, value: value, origin: origin))
            return
        }
        members[position].value = Self.merged(members[position].value, value)
    }

    /// The parser bounds the depth of both values, and so of this recursion.
    private static func merged(_ first: JSON, _ second: JSON) -> JSON {
        guard case .object(var object) = first, case .object(let other) = second else { return first }
        for (key, value) in other {
            object[key] = object[key].map { merged($0, value) } ?? value
        }
        return .object(object)
    }
}

/// Reads the file of a configuration, and the files that it includes.
enum WaybarConfiguration {
    private static let mostBars = 100

    static func bars(at path: String, _ notes: inout ImportNotes) -> [WaybarBar] {
        guard let bytes = notes.text(of: path), let document = document(bytes, path, &notes) else { return [] }
        let objects = document.value.arrayValue ?? [document.value]
        guard objects.count <= mostBars else {
            notes.remark(.error, path, nil, "has more than \(mostBars) bars; nothing of it is imported")
            return []
        }
        var bars: [WaybarBar] = []
        for (index, value) in objects.enumerated() {
            guard let object = value.objectValue else {
                notes.remark(.error, path, nil, "\(value.kind) is not a bar; it is left out")
                continue
            }
            let line = object.keys.lazy.compactMap { document.line(of: $0, inElement: index) }.first ?? 1
            var bar = WaybarBar(origin: Origin(file: path, line: line))
            add(object, of: document, element: index, file: path, chain: [path], to: &bar, &notes)
            bars.append(bar)
        }
        return bars
    }

    private static func document(_ bytes: [UInt8], _ path: String, _ notes: inout ImportNotes) -> CommentedJSON? {
        do throws(JSONSyntaxError) {
            let document = try CommentedJSON(bytes)
            for (key, line) in document.repeated {
                notes.remark(.loss, path, line, "\(key) is there a second time; the last one counts, as in Waybar")
            }
            return document
        } catch {
            notes.remark(.error, path, error.line, "is not JSON: \(error.reason); nothing of this file is imported")
            return nil
        }
    }

    private static func add(
        _ object: JSONObject, of document: CommentedJSON, element: Int, file: String, chain: [String],
        to bar: inout WaybarBar, _ notes: inout ImportNotes
    ) {
        func origin(_ key: String) -> Origin {
            Origin(file: file, line: document.line(of: key, inElement: element) ?? bar.origin.line)
        }
        for (key, value) in object where key != "include" { bar.merge(key, value, origin(key)) }
        guard let include = object["include"] else { return }
        let place = origin("include")
        for word in include.arrayValue ?? [include] {
            guard let path = word.stringValue, !path.utf8.contains(0) else {
                notes.remark(.error, at: place, "include: \(word.kind) is not a path")
                continue
            }
            for path in paths(path, place, &notes) { addFile(path, chain: chain, place, to: &bar, &notes) }
        }
    }

    private static func addFile(
        _ path: String, chain: [String], _ place: Origin, to bar: inout WaybarBar, _ notes: inout ImportNotes
    ) {
        guard let bytes = notes.included(path, "include", by: chain, at: place),
            let document = document(bytes, path, &notes)
        else { return }
        guard let object = document.value.objectValue else {
            return notes.remark(.error, path, nil, "is not an object, as a file must be that another one includes")
        }
        add(object, of: document, element: 0, file: path, chain: chain + [path], to: &bar, &notes)
    }

    /// The files that an include names. Waybar looks for a relative path in its own directories, and expands `*` in it.
    private static func paths(_ text: String, _ place: Origin, _ notes: inout ImportNotes) -> [String] {
        guard let path = notes.path(of: text, "include", at: place) else { return [] }
        let name = ImportFiles.name(of: path)
        guard name.contains("*") else { return [path] }
        let parent = ImportFiles.parent(of: path)
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        let listing = notes.list(parent)
        let found = (listing.entries ?? []).map(\.name).filter { !$0.hasPrefix(".") && matches($0, parts) }
        if case .unreadable(let reason) = listing {
            notes.remark(.error, at: place, "include: \(text): \(reason)")
        } else if found.isEmpty {
            notes.remark(.error, at: place, "include: no file is like \(text)")
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(parent)/\($0)" }
    }

    /// Whether a name has the parts of a pattern in their order, the first at its start and the last at its end.
    private static func matches(_ name: String, _ parts: [Substring]) -> Bool {
        guard let first = parts.first, let last = parts.last, parts.count > 1, name.hasPrefix(first) else {
            return false
        }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let start = rest.indices.first(where: { rest[$0...].hasPrefix(part) }) else { return false }
            rest = rest[start...].dropFirst(part.count)
        }
        return rest.hasSuffix(last)
    }
}

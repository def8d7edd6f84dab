// SPDX-License-Identifier: MIT
import Spelling

/// Which widget a name may mean that no identifier ends in.
extension WidgetID {
    /// How many names are compared letter by letter, those that resemble the given one most. It bounds what an unknown name
    /// costs, however many widgets there are.
    private static let comparisons = 32
    /// A shorter beginning or end of a label is in too many identifiers.
    private static let shortestPart = 3

    /// The identifier that has the name in its middle, the one that resembles a mistyped name, or the only one with a label that
    /// begins or ends like it; nil where none does.
    package static func nearest(to name: String, among widgets: some Collection<WidgetID>) -> WidgetID? {
        guard !name.isEmpty, name.utf8.count <= maximumLength else { return nil }
        let labels = Self.labels(of: name)
        return only(widgets) { Self.labels(of: $0.text).hasRun(labels) } ?? mistyped(name, labels.count, among: widgets)
            ?? similar(name, among: widgets)
    }

    /// In lower case, as people type them.
    private static func labels(of name: String) -> [Substring] {
        name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    }

    /// A name is compared with as many of the last labels as it has, because people write `dsk` for `org.todayd.disk`, and with
    /// the whole identifier, where a label may be missing.
    private static func mistyped(_ name: String, _ count: Int, among widgets: some Collection<WidgetID>) -> WidgetID? {
        let letters = Array(name.utf8)
        var candidates: [(name: String, id: WidgetID, likeness: Int)] = []
        for id in widgets {
            let end = id.text.split(separator: ".").suffix(count).joined(separator: ".")
            for candidate in count > 1 && end != id.text ? [end, id.text] : [end] {
                guard abs(candidate.utf8.count - letters.count) <= 3 else { continue }
                candidates.append((candidate, id, likeness(of: Array(candidate.utf8), to: letters)))
            }
        }
        candidates.sort { $0.likeness > $1.likeness }
        candidates.removeSubrange(min(comparisons, candidates.count)...)
        guard let found = nearestName(to: name, among: candidates.map(\.name)) else { return nil }
        return candidates.first { $0.name == found }?.id
    }

    /// How many letters are equal from the start and from the end; a typing error lies between them.
    private static func likeness(of left: [UInt8], to right: [UInt8]) -> Int {
        let length = min(left.count, right.count)
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        return min(start + end, length)
    }

    private static func similar(_ name: String, among widgets: some Collection<WidgetID>) -> WidgetID? {
        guard name.utf8.count >= shortestPart, !name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let name = name.lowercased()
        return only(widgets) { id in labels(of: id.text).contains { $0.hasPrefix(name) || $0.hasSuffix(name) } }
    }

    /// The widget that fits; nil where several do.
    private static func only(_ widgets: some Collection<WidgetID>, where fits: (WidgetID) -> Bool) -> WidgetID? {
        var found: WidgetID?
        for id in widgets where fits(id) {
            if found != nil { return nil }
            found = id
        }
        return found
    }
}

extension [Substring] {
    /// Whether some of the elements that follow each other are these.
    fileprivate func hasRun(_ run: [Substring]) -> Bool {
        guard run.count <= count else { return false }
        return (0...(count - run.count)).contains { self[$0..<($0 + run.count)].elementsEqual(run) }
    }
}

// SPDX-License-Identifier: MIT
import Spelling

/// The identifier of a widget in reverse-DNS form, such as `org.example.btc`. It is also the file name of the manifest.
/// `org.example.weather@bern` is an instance of the template `org.example.weather@.widget`.
@usableFromInline
package struct WidgetID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The limit keeps file names with this identifier below NAME_MAX (255 bytes).
    package static let maximumLength = 200

    package let text: String
    /// Computed once, because one run looks its widget up in a dozen tables.
    private let textHash: Int

    /// Nil unless `text` is two or more labels of ASCII letters, digits, `_` and `-`, joined by dots; an instance has one
    /// more label after an `@`. No label may be empty or begin with `-`. The identifier becomes part of file names, unit
    /// names and environment values, so it has no other characters.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumLength else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel), parts.dropFirst().allSatisfy(Self.isLabel) else {
            return nil
        }
        self.init(checked: text)
    }

    private init(checked text: String) {
        self.text = text
        textHash = text.hashValue
    }

    /// Stands for an identifier that is not read yet.
    static let blank = WidgetID(checked: "-")

    @usableFromInline package static func == (left: WidgetID, right: WidgetID) -> Bool {
        left.textHash == right.textHash && left.text == right.text
    }

    @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(textHash) }

    /// What dictionaries ask for. To hash the hash of the text once more would take a tenth of the instructions of an update. The
    /// odd factor gives each dictionary an order of its own: without it, filling one of 80,000 from another takes 12 times as long.
    @usableFromInline package func _rawHashValue(seed: Int) -> Int { textHash &* (seed &* 2 &+ 1) }

    private static func isLabel(_ label: String.UTF8View.SubSequence) -> Bool {
        guard let first = label.first, first != UInt8(ascii: "-") else { return false }
        return label.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    @usableFromInline package var description: String { text }

    @usableFromInline package static func < (left: WidgetID, right: WidgetID) -> Bool { left.text < right.text }

    // MARK: Instances

    /// The name of an instance: `bern`. Nil for a widget that is not an instance.
    package var instance: Substring? { text.firstIndex(of: "@").map { text[text.index(after: $0)...] } }

    /// The template of an instance, without the `@`; nil for a widget that is not an instance.
    package var template: WidgetID? { text.firstIndex(of: "@").flatMap { WidgetID(String(text[..<$0])) } }

    package func instance(_ name: String) -> WidgetID? { WidgetID("\(text)@\(name)") }

    /// Whether `text` is the last label or labels of this identifier, such as `disk` for `org.todayd.disk`; for an instance
    /// also without its name.
    package func hasSuffix(_ text: String) -> Bool {
        !text.isEmpty && (self.text.hasSuffix("." + text) || instance != nil && self.text.includes(".\(text)@"))
    }

    /// The suffix of directories of drop-ins.
    package static let dropInSuffix = ".widget.d"

    /// Whether todayd has derived the identifier from a name in another host: that of a plugin or of an imported program.
    package var isMade: Bool { text.hasPrefix(PluginName.prefix) || text.hasPrefix(Self.importPrefix) }

    package static let importPrefix = "import."
}

/// The identifier of an app group, such as `group.org.example.crypticker`. A containing app and its widgets share
/// defaults and a directory under it. It has the form of a widget's identifier and becomes the directory's name.
package struct AppGroup: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard let id = WidgetID(text), id.instance == nil else { return nil }
        self.text = text
    }

    /// The end of the name of the group's environment variable (docs/environment.md): `group.org.example.app` becomes
    /// `GROUP_ORG_EXAMPLE_APP`.
    package var variableName: String {
        String(
            decoding: text.utf8.map { $0.isLetter ? $0 & ~0x20 : $0.isDigit ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: AppGroup, right: AppGroup) -> Bool { left.text < right.text }
}

/// The widget that a name may mean if no identifier ends in it.
extension WidgetID {
    /// How many names, the most similar ones, are compared letter by letter. The limit bounds the cost of an unknown name,
    /// however many widgets there are.
    private static let comparisons = 32
    /// Too many labels begin or end with a shorter text.
    private static let shortestPart = 3

    /// The identifier that has the name in its middle, the one that resembles a mistyped name, or the only one with a label
    /// that begins or ends like it; nil if none does.
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

    /// How many letters are equal at the start and at the end; a typing error lies between them.
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

    /// The only widget that fits; nil if several do.
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
    /// Whether it contains these elements in a row.
    fileprivate func hasRun(_ run: [Substring]) -> Bool {
        guard run.count <= count else { return false }
        return (0...(count - run.count)).contains { self[$0..<($0 + run.count)].elementsEqual(run) }
    }
}

/// A dictionary of large values by widget. A hash table has up to 2.7 slots for each entry; a slot here holds a reference.
///
/// Inlinable, so that other modules have it specialized: the generic code takes six times as many instructions.
@usableFromInline
package struct WidgetTable<Value: Sendable>: Sendable {
    @usableFromInline
    indirect enum Slot: Sendable {
        case value(Value)

        @inlinable var value: Value {
            switch self {
            case .value(let value): value
            }
        }
    }

    @usableFromInline var slots: [WidgetID: Slot] = [:]

    @inlinable package init() {}

    @inlinable package var ids: [WidgetID] { Array(slots.keys) }
    @inlinable package var dictionary: [WidgetID: Value] { slots.mapValues(\.value) }

    /// A change takes the value out of the table, so that its arrays have one owner and are changed in place.
    @inlinable
    package subscript(id: WidgetID) -> Value? {
        get { slots[id]?.value }
        _modify {
            var value = slots.removeValue(forKey: id)?.value
            defer { slots[id] = value.map(Slot.value) }
            yield &value
        }
    }
}

extension WidgetTable: Equatable where Value: Equatable {
    @inlinable package static func == (left: Self, right: Self) -> Bool { left.dictionary == right.dictionary }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// The manifests that earlier imports of a host wrote. Programs with equal names have numbers in their identifiers, and these
/// files say which program has which number: a block keeps its widget when another one of its name is added, removed or moved.
package struct EarlierManifests: Sendable {
    /// The identifiers that the programs of one label have, in the order of the configuration.
    typealias Choices = [String: [WidgetID]]

    private let files: [WidgetID: [UInt8]]

    package init(_ files: [WidgetID: [UInt8]] = [:]) { self.files = files }

    /// Which identifiers the programs of a plan should have; nil if they have them already.
    func choices(for plan: ImportPlan) -> Choices? {
        guard !files.isEmpty, plan.manifests.contains(where: { files[$0.id].map($0.isEqual) != true }) else {
            return nil
        }
        let present = Set(plan.programs.map(\.id))
        let texts = Dictionary(plan.manifests.map { ($0.id, $0.statements) }) { first, _ in first }
        var choices: Choices = [:]
        for (label, programs) in Dictionary(grouping: plan.programs, by: \.label) {
            let ids = programs.map(\.id)
            // An identifier that another label has is not a choice for this one.
            let chosen = chosen(for: ids, texts, among: ids + numbered(ids[0]).filter { !present.contains($0) })
            if chosen != ids { choices[label] = chosen }
        }
        return choices.isEmpty ? nil : choices
    }

    /// A program gets the identifier of the file that says the same, or otherwise of the one that has its command. The
    /// remaining programs get the first identifiers that are left.
    private func chosen(
        for ids: [WidgetID], _ texts: [WidgetID: [ArraySlice<UInt8>]], among candidates: [WidgetID]
    ) -> [WidgetID] {
        let statements = candidates.map { id in files[id].map(ImportedManifest.statements) }
        var isTaken = [Bool](repeating: false, count: candidates.count)
        var chosen = [Int?](repeating: nil, count: ids.count)
        // The candidates begin with the programs' own, which come first where several files say the same.
        for index in ids.indices where texts[ids[index]] != nil && texts[ids[index]] == statements[index] {
            (isTaken[index], chosen[index]) = (true, index)
        }
        for index in ids.indices where chosen[index] == nil {
            guard let text = texts[ids[index]] else { continue }
            guard let equal = candidates.indices.first(where: { !isTaken[$0] && statements[$0] == text }) else {
                continue
            }
            (isTaken[equal], chosen[index]) = (true, equal)
        }
        // Since then, the user may have changed an interval or a name.
        let programs = statements.map { $0.flatMap(ImportedManifest.program) }
        for index in ids.indices where chosen[index] == nil {
            guard let program = texts[ids[index]].flatMap(ImportedManifest.program),
                let equal = candidates.indices.first(where: { !isTaken[$0] && programs[$0] == program })
            else { continue }
            (isTaken[equal], chosen[index]) = (true, equal)
        }
        for index in ids.indices where chosen[index] == nil {
            guard let free = isTaken.firstIndex(of: false) else { break }
            (isTaken[free], chosen[index]) = (true, free)
        }
        return zip(ids, chosen).map { id, index in index.map { candidates[$0] } ?? id }
    }

    /// The earlier identifiers that are this one with a number after it, in their order.
    private func numbered(_ first: WidgetID) -> [WidgetID] {
        let prefix = first.text + "-"
        let numbers = files.keys.compactMap { id -> Int? in
            let text = id.text.dropFirst(prefix.utf8.count)
            guard id.text.hasPrefix(prefix), let number = Int(text), "\(number)" == text else { return nil }
            return number
        }
        return numbers.sorted().compactMap { WidgetID("\(prefix)\($0)") }
    }

    /// The manifests whose programs are no longer in the files of a plan.
    package func gone(from plan: ImportPlan) -> [WidgetID] {
        let programs = Set(plan.programs.map(\.id))
        let gone = files.filter { id, bytes in
            guard !programs.contains(id) else { return false }
            let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return plan.read.contains { line.hasPrefix("\(ImportedManifest.origin($0)):") }
        }
        return gone.keys.sorted()
    }
}

// SPDX-License-Identifier: MIT

import Files
import Rendering
import TodayModel

/// What imported programs want beyond their sandbox, and the user's answer to that.
struct ImportConsent {
    private let reports: [ImportReport]
    private let presentation: Presentation

    /// - Parameter reports: the reports of dry runs.
    init(_ reports: [ImportReport], _ presentation: Presentation) {
        self.reports = reports
        self.presentation = presentation
    }

    private var trouble: String? { reports.lazy.compactMap(\.sandboxTrouble).first }
    private var shutIn: [ImportReport.File] {
        reports.flatMap { report in
            let programs = Set(report.sandboxes.map(\.source))
            return report.files.filter { programs.contains($0.path) }
        }
    }

    /// Whether there is something to ask.
    var isAsked: Bool { !shutIn.isEmpty && (trouble != nil || shutIn.contains { !$0.wishes.isEmpty }) }

    /// What the programs want and do not get, in full: the user is asked about all of it.
    func withheld(but allowed: SandboxConsent? = nil) -> [StyledLine] {
        let rows = SandboxWish.allCases.filter { allowed?.allows($0) != true }.compactMap { wish in
            let names = shutIn.compactMap { file in file.wishes[wish].map { "\(file.shortName) (\($0))" } }
            let words = wish == .machine ? "\(wish.words), so no sandbox" : wish.words
            return names.isEmpty ? nil : (words: words, names: names)
        }
        let room = max(presentation.width - 2 - (rows.map(\.words.count).max() ?? 0), 20)
        var table = Table([.init("WITHHELD"), .init("FROM", elastic: true)])
        for (words, names) in rows {
            for (index, part) in names.flatMap({ presentation.line($0).wrapped(room) }).enumerated() {
                table.append([presentation.line(index == 0 ? words : ""), part])
            }
        }
        return rows.isEmpty ? [] : table.lines(presentation)
    }

    var question: String {
        if let trouble { return "\(trouble). Let these programs run without one, with all your rights? [y/N] " }
        return "Allow each what it seems to want? [y/N] "
    }

    /// What --yes has agreed to.
    var agreement: String {
        if let trouble { return "\(trouble). --yes lets these programs run without one, with all your rights." }
        return "--yes allows each what it seems to want."
    }

    var lines: [StyledLine] {
        guard trouble == nil else { return [] }
        let text = "They run in a sandbox: no network, no home, nothing writable but their own. Some seem to want more:"
        return [StyledLine()] + presentation.line(text).wrapped(presentation.width) + withheld()
    }

    /// What a yes allows. A no leaves new programs strict, and revokes nothing.
    func consent(_ agrees: Bool) -> SandboxConsent? {
        agrees ? trouble == nil ? .everyWish : .everything : nil
    }

    /// The options for today-author. An answer concerns the programs that the question named, which are the new ones.
    static func options(_ consent: SandboxConsent?, isAnswer: Bool) -> [String] {
        guard let consent else { return [] }
        return consent.options + (isAnswer ? ["--new-only"] : [])
    }

    /// The options with which the same import allows it.
    func remedy(_ allowed: SandboxConsent?) -> String? {
        let missing = SandboxWish.allCases.filter { wish in
            allowed?.allows(wish) != true && shutIn.contains { $0.wishes[wish] != nil }
        }
        if missing.isEmpty { return nil }
        let words = SandboxWish.allCases.filter { missing.contains($0) || allowed?.allows($0) == true }
        return "The same command with \(words.map { "--allow \($0.rawValue)" }.joined(separator: " ")) allows it."
    }
}

extension ImportReport.File {
    /// What its user calls it.
    fileprivate var shortName: String { module ?? Paths.name(of: path) }
}

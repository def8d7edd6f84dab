// SPDX-License-Identifier: MIT

import Link
import Rendering
import Spelling
import TodayModel

/// The result of an import, in lines.
struct ImportPage {
    private let report: ImportReport
    private let places: ManifestPlaces
    private let presentation: Presentation

    init(_ report: ImportReport, _ places: ManifestPlaces, _ presentation: Presentation) {
        self.report = report
        self.places = places
        self.presentation = presentation
    }

    // MARK: Files

    var files: [StyledLine] { report.files.flatMap(lines) + sandboxes }

    /// The drop-ins of programs that existed before.
    private var sandboxes: [StyledLine] {
        let new = Set(report.files.filter { $0.outcome == .new }.map(\.path))
        return report.sandboxes.flatMap { file in
            report.isDryRun || !new.contains(file.source) ? lines(file) : []
        }
    }

    private func lines(_ file: ImportReport.File) -> [StyledLine] {
        let path = places.shortened(file.path)
        let source = file.module.map { "\($0), \(file.source)" } ?? places.shortened(file.source)
        switch file.outcome {
        case .new where report.isDryRun:
            let text = (file.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            return [presentation.line("would write \(path) (\(source))", .bold)]
                + text.map { presentation.line($0.isEmpty ? "" : "    \($0)") } + (text.isEmpty ? [] : [StyledLine()])
        case .new: return wrapped("wrote \(path) (\(source))")
        case .unchanged: return wrapped("unchanged: \(path) (\(source))", .dim)
        case .kept:
            let remedy = file.kind == .manifest ? "remove it to import this" : "remove it, or rename this"
            return wrapped(
                "kept: \(path) (\(source)): \(file.reason ?? "it already exists"); \(remedy)", .meaning(.warning))
        case .failed:
            // A failure that concerns all files is reported once, at the end.
            guard let reason = file.reason else { return [] }
            return wrapped("not written: \(path) (\(source)): \(reason)", .meaning(.critical))
        }
    }

    /// A line, and further ones below it, indented, where it does not fit.
    private func wrapped(_ text: String, _ style: Style = .plain) -> [StyledLine] {
        presentation.line(text, style).wrapped(max(presentation.width - 2, 10)).enumerated().map { index, line in
            var part = presentation.line(index == 0 ? "" : "  ")
            part.append(line)
            return part
        }
    }

    // MARK: Remarks

    /// Further errors, for users who want to see nothing but errors.
    var errors: [String] {
        report.remarks.filter { $0.kind == .error }.map(\.description)
            + report.files.compactMap { file in
                file.outcome == .failed
                    ? file.reason.map { "\(places.shortened(file.path)) is not written: \($0)" } : nil
            }
    }

    /// What could not be understood, what is not carried over, and notes.
    var remarks: [StyledLine] {
        section("Not understood:", .error, .meaning(.critical)) + section("Not carried over:", .loss, .plain) + notes
    }

    /// What is not an error.
    var notes: [StyledLine] { section("To know:", .note, .dim) + complaints }

    private func section(_ title: String, _ kind: ImportReport.Remark.Kind, _ style: Style) -> [StyledLine] {
        let remarks = report.remarks.filter { $0.kind == kind }
        guard !remarks.isEmpty else { return [] }
        return [StyledLine(), presentation.line(title, .bold)]
            + remarks.flatMap { wrapped($0.description, style) }
    }

    private var complaints: [StyledLine] {
        guard !report.complaints.isEmpty else { return [] }
        return [
            StyledLine(),
            presentation.line("todayd about what \(report.isDryRun ? "would be" : "was") written:", .bold),
        ]
            + report.complaints.flatMap { wrapped($0.diagnostic, .meaning(.warning)) }
    }

    /// Joins sections. Leaves out the blank line before a section if nothing or another blank line is above it.
    static func joined(_ sections: [StyledLine]...) -> [StyledLine] {
        sections.reduce(into: []) { page, section in
            let isParted = (page.last ?? StyledLine()) == StyledLine()
            page += section.drop { isParted && $0 == StyledLine() }
        }
    }

    // MARK: Sandboxes

    /// What the programs seem to want and did not get.
    func withheld(_ consent: SandboxConsent?) -> [StyledLine] {
        let asked = ImportConsent([report], presentation)
        let lines = asked.withheld(but: consent)
        guard !lines.isEmpty, let remedy = asked.remedy(consent) else { return [] }
        return [StyledLine()] + lines + [presentation.line(remedy, .dim)]
    }

    // MARK: Summary

    var summary: [StyledLine] {
        guard let source = report.source else { return [] }
        func count(_ outcome: ImportReport.File.Outcome) -> Int { report.files.filter { $0.outcome == outcome }.count }
        var parts = ["\(count(.new)) \(report.isDryRun ? "to write" : "written")"]
        for (outcome, words) in [(.unchanged, "unchanged"), (.kept, "kept"), (.failed, "not written")]
            as [(ImportReport.File.Outcome, String)] where count(outcome) > 0
        {
            parts.append("\(count(outcome)) \(words)")
        }
        for (kind, words) in [(.loss, "not carried over"), (.error, "not understood")]
            as [(ImportReport.Remark.Kind, String)]
        {
            let count = report.remarks.filter { $0.kind == kind }.count
            if count > 0 { parts.append("\(count.counted("thing")) \(words)") }
        }
        let text = "\(report.host), \(places.shortened(source)): \(parts.joined(separator: ", "))"
        let empty = report.files.isEmpty ? "\(report.host), \(places.shortened(source)): nothing to import" : text
        return (report.files.isEmpty && report.remarks.isEmpty ? [] : [StyledLine()]) + wrapped(empty)
    }
}

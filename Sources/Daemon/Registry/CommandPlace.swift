// SPDX-License-Identifier: MIT

/// Where a word of a widget's ExecStart= is, in its manifest or the last drop-in that has one.
struct CommandPlace: Equatable {
    let file: String
    let line: Int
    /// Nil on a continued line.
    let column: Int?

    /// Reads the files again: only an author who asks needs the place.
    init?(of entry: Registry.Entry, _ specifiers: Specifiers, word index: Int) {
        let paths = [entry.path] + DropIns.files(in: entry.dropInDirectories)
        var found: (file: UnitFile, assignment: UnitFile.Assignment)?
        for path in paths {
            guard case .file(let file) = EntryLoader.open(path, sections: ManifestReader.sections) else { continue }
            let assignment = file.assignments.last { assignment in
                assignment.section == "Update" && assignment.key == "ExecStart" && !assignment.value.isEmpty
            }
            if let assignment { found = (file, assignment) }
        }
        guard let (unit, assignment) = found else { return nil }
        (file, line) = (unit.path, assignment.line)
        let offset = QuotedWords.offset(ofWord: index, in: assignment.value, specifiers)
        let column = assignment.valueColumn.flatMap { start in offset.map { start + $0 } }
        self.column = column.flatMap { $0 < assignment.endColumn ? $0 : nil }
    }
}

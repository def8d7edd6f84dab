// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Reads one widget from its files, and checks that its program is there.
package struct EntryLoader {
    package internal(set) var reader: ManifestReader
    package internal(set) var search: ProgramSearch
    let mostComplaints: Int

    package init(
        reader: ManifestReader, search: ProgramSearch = ProgramSearch(), mostComplaints: Int = Complaint.most
    ) {
        (self.reader, self.search, self.mostComplaints) = (reader, search, mostComplaints)
    }

    package func load(_ id: WidgetID, _ files: WidgetFiles) -> Registry.Entry {
        var entry = withDropIns(in: files.dropInDirectories) { load(id, files.manifest, $0) }
        entry.dropInDirectories = files.dropInDirectories
        return entry
    }

    /// The entry of a widget with its drop-ins.
    func withDropIns(in directories: [String], load: ([String]) -> Registry.Entry) -> Registry.Entry {
        let dropIns = DropIns.files(in: directories)
        guard dropIns.count > DropIns.most else {
            var entry = load(dropIns)
            if entry.validity != .masked { entry.dropIns = dropIns }
            if case .valid(var manifest) = entry.validity {
                entry.programVersion = entry.program.flatMap(FileMark.init(at:))?.version
                manifest.identifyProgram(version: entry.programVersion)
                entry.validity = .valid(manifest)
            }
            entry.linkedFiles = linkedFiles(of: entry)
            return entry
        }
        // A drop-in that was left out might limit the widget, so the widget does not run without it.
        let entry = load([])
        let excess = "has \(dropIns.count) drop-ins, and \(DropIns.most) are the most"
        return invalid(entry.id, entry.path, entry.described, [.error(entry.path, nil, excess)])
    }

    /// The files in other directories whose changes count as those of the widget's own.
    private func linkedFiles(of entry: Registry.Entry) -> [String] {
        let own = Paths.linkTargets(of: entry.path)
        var files = (own + entry.dropIns.flatMap(Paths.linkTargets)).filter { $0 != "/dev/null" }
        if let program = entry.program, Paths.parent(of: program) == Self.directory(of: entry.path) {
            files += Paths.linkTargets(of: program) + (own.isEmpty ? [] : [program])
        }
        return files
    }

    private func load(_ id: WidgetID, _ path: String, _ dropIns: [String]) -> Registry.Entry {
        let manifest: UnitFile
        switch Self.open(path, sections: ManifestReader.sections) {
        case .file(let file): manifest = file
        case .masked: return Registry.Entry(id: id, validity: .masked, path: path)
        case .unusable(let complaint): return invalid(id, path, nil, [complaint])
        }
        // A drop-in that cannot be read might limit the widget, so the widget does not run without it.
        var (files, complaints) = Self.open(dropIns)
        files.insert(manifest, at: 0)
        let reading = reader.read(id, files) { Self.directory(of: path) }
        complaints = Complaint.bounded(complaints + reading.complaints, in: path, most: mostComplaints)
        guard let manifest = reading.manifest, !complaints.contains(where: { $0.severity == .error }) else {
            return invalid(id, path, reading.described, complaints)
        }
        return withProgram(manifest, reading.command, path, complaints)
    }

    /// The files that are not masked.
    static func open(
        _ paths: [String], sections: Set<String> = ManifestReader.sections
    ) -> (files: [UnitFile], complaints: [Complaint]) {
        var files: [UnitFile] = []
        var complaints: [Complaint] = []
        for path in paths {
            switch open(path, sections: sections) {
            case .file(let file): files.append(file)
            case .masked: continue
            case .unusable(let complaint): complaints.append(complaint)
            }
        }
        return (files, complaints)
    }

    /// The entry of a readable manifest: invalid because its program is missing, or valid.
    func withProgram(
        _ manifest: Manifest, _ command: ManifestDraft.Place?, _ path: String, _ complaints: [Complaint]
    ) -> Registry.Entry {
        var entry = Registry.Entry(id: manifest.id, validity: .valid(manifest), path: path)
        entry.complaints = complaints
        guard let program = manifest.update.command.first else { return entry }
        switch search.find(program) {
        case .found(let program):
            var manifest = manifest
            manifest.update.command[0] = program
            entry.validity = .valid(manifest)
        case .missing(let reason, let awaited):
            let complaint = Complaint.error(
                command?.file ?? path, command?.line, "ExecStart=: \(reason)", column: command?.column)
            entry.validity = .invalid(reason: complaint.shortDescription, manifest)
            entry.awaitedDirectories = awaited
            entry.complaints.insert(complaint, at: 0)
        }
        return entry
    }

    func invalid(
        _ id: WidgetID, _ path: String, _ described: Manifest?, _ complaints: [Complaint]
    ) -> Registry.Entry {
        let error = complaints.first { $0.severity == .error }
        let reason = error?.shortDescription ?? "cannot be read"
        var entry = Registry.Entry(id: id, validity: .invalid(reason: reason, readPart: described), path: path)
        entry.complaints = complaints
        return entry
    }

    /// The directory that `./` means: that of the manifest or, if the manifest is a link, that of its target, where the program
    /// is.
    package static func directory(of path: String) -> String {
        guard Paths.linkTarget(of: path) != nil, let resolved = Paths.resolved(path) else {
            return Paths.parent(of: path)
        }
        return Paths.parent(of: resolved)
    }

    package enum Opening {
        case file(UnitFile)
        /// The file is empty or a link to /dev/null, like a masked unit (systemd.unit(5)).
        case masked
        case unusable(Complaint)
    }

    package static func open(_ path: String, sections: Set<String>) -> Opening {
        switch FileContents(at: path, limit: UnitFile.maximumSize) {
        case .bytes(let bytes) where bytes.isEmpty: .masked
        case .bytes(let bytes): .file(UnitFile(path: path, bytes: bytes, sections: sections))
        case .nullDevice: .masked
        case .directory: .unusable(.error(path, nil, "is a directory, not a file"))
        case .notRegular: .unusable(.error(path, nil, "is not a regular file"))
        case .tooLarge(let size):
            .unusable(.error(path, nil, "is too large: \(size) bytes, at most \(UnitFile.maximumSize) are read"))
        case .missing: .unusable(.error(path, nil, "does not exist"))
        case .danglingLink(let target): .unusable(.error(path, nil, "is a link to \(target), which does not exist"))
        case .refused(let reason): .unusable(.error(path, nil, "cannot be read: \(reason)"))
        }
    }
}

/// Which files of drop-in directories count, and in which order.
enum DropIns {
    /// The most for one widget: all are read again when one changes.
    static let most = 64

    /// The files of all directories sorted by name; of files with the same name, the one in the strongest directory.
    static func files(in directories: [String]) -> [String] {
        var chosen: [String: String] = [:]
        for directory in directories {
            guard let listing = try? DirectoryListing(of: directory) else { continue }
            for entry in listing.entries where entry.name.hasSuffix(".conf") && !entry.name.hasPrefix(".") {
                chosen[entry.name] = chosen[entry.name] ?? "\(directory)/\(entry.name)"
            }
        }
        return chosen.sorted { $0.key < $1.key }.map(\.value)
    }
}

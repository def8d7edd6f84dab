// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// A place in a configuration.
struct Origin: Equatable {
    var file: String
    var line: Int
}

/// Collects the plan while a configuration is read.
struct ImportNotes {
    let source: ImportSource
    let files: ImportFiles
    /// The program that shows widgets in other hosts.
    let client: String
    private var result = ImportPlan()
    private var names: WidgetNames
    private var remarksLeftOut = 0
    private var manifestsLeftOut = 0
    /// The file of the last remark, and its name in remarks.
    private var lastPath = ""
    private var lastFile = ""
    private var readFiles = 0
    private var readBytes = 0

    init(
        source: ImportSource, files: ImportFiles, _ choices: EarlierManifests.Choices = [:], client: String = "todayctl"
    ) {
        self.source = source
        self.files = files
        self.client = client
        names = WidgetNames(prefix: source.prefix, choices)
    }

    var plan: ImportPlan {
        var plan = result
        if manifestsLeftOut > 0 {
            let text = "\(manifestsLeftOut) more programs; one import has \(ImportLimits.manifests) at most"
            plan.remarks.append(ImportReport.Remark(.error, lastFile, line: nil, text))
        }
        if remarksLeftOut > 0 {
            let text = "and \(remarksLeftOut) more remarks"
            plan.remarks.append(ImportReport.Remark(.loss, lastFile, line: nil, text))
        }
        return plan
    }

    mutating func remark(_ kind: ImportReport.Remark.Kind, _ file: String, _ line: Int?, _ text: String) {
        guard result.remarks.count < ImportLimits.remarks else {
            remarksLeftOut += 1
            return
        }
        enter(file)
        let text = PlainText.line(text, upTo: 300)
        result.remarks.append(ImportReport.Remark(kind, lastFile, line: line, text))
    }

    private mutating func enter(_ file: String) {
        guard !file.isSpelled(as: lastPath) else { return }
        lastPath = file
        lastFile = PlainText.line(files.shortened(file), upTo: 1_024)
    }

    mutating func remark(_ kind: ImportReport.Remark.Kind, at origin: Origin, _ text: String) {
        remark(kind, origin.file, origin.line, text)
    }

    /// Manifests of earlier imports are needed although their programs are not in the configuration.
    mutating func keepEarlierManifests() { result.read = [] }

    mutating func add(_ plugin: ImportedPlugin) { result.plugins.append(plugin) }

    mutating func add(_ module: String, at origin: Origin, replacedBy value: JSONObject) {
        let file = PlainText.line(files.shortened(origin.file), upTo: 1_024)
        result.replacements.append(.init(module, from: "\(file):\(origin.line)", .object(value)))
    }

    /// Adds the manifest of a program, or says why there can be none.
    ///
    /// - Returns: the identifier of the widget.
    @discardableResult mutating func add(_ program: ImportedProgram) -> WidgetID? {
        if let reason = program.obstacle {
            remark(.error, at: program.origin, "\(program.module): \(reason); it is not imported")
            return nil
        }
        guard result.manifests.count < ImportLimits.manifests else {
            manifestsLeftOut += 1
            enter(program.origin.file)
            return nil
        }
        let label = WidgetNames.label(program.name)
        guard let id = names.identifier(for: label) else {
            remark(
                .error, at: program.origin,
                "\(program.module): no identifier can be made of its name; it is not imported")
            return nil
        }
        result.programs.append(ImportPlan.Program(label: label, id: id))
        // After an import, the configuration may show the widgets themselves. Such a module still takes its name, so that no
        // other module gets it.
        if program.showsToday {
            remark(.note, at: program.origin, "\(program.module) shows what todayd has; it is not imported")
            return nil
        }
        if let signal = program.signal {
            let text = "in place of \(signal), write todayctl update \(id)"
            remark(.note, at: program.origin, "\(program.module): signal: \(text)")
        }
        let file = files.shortened(program.origin.file)
        let text = program.manifest(file: file, source: source)
        guard text.utf8.count <= ImportLimits.manifestBytes else {
            remark(.error, at: program.origin, "\(program.module): is too long for a manifest; it is not imported")
            return nil
        }
        result.manifests.append(
            ImportedManifest(
                id: id, module: PlainText.line(program.module, upTo: 200), file: PlainText.line(file, upTo: 1_024),
                line: program.origin.line, text: text,
                wishes: SandboxWishes(ofCommand: program.script, files)))
        return id
    }

    // MARK: Reading

    private static let tooMany = "these are too many files, or too much of them"

    /// Limits the files that one configuration reads: one of 1 MiB can name 30,000.
    private var isWithinLimits: Bool { readFiles < ImportLimits.files && readBytes < ImportLimits.allBytes }

    /// A directory that the configuration names.
    mutating func list(_ path: String) -> ImportFiles.Listing {
        guard isWithinLimits else { return .unreadable(Self.tooMany) }
        readFiles += 1
        return files.list(path)
    }

    /// A file that the configuration names.
    mutating func read(_ path: String) -> ImportFiles.Reading {
        guard isWithinLimits else { return .unreadable(Self.tooMany) }
        readFiles += 1
        let reading = files.read(path)
        if case .bytes(let bytes) = reading { readBytes += bytes.count }
        return reading
    }

    /// Reads a file of the configuration. If it cannot be read, a remark says why.
    ///
    /// - Parameter origin: the line that includes it; nil for the configuration itself.
    mutating func text(of path: String, includedBy origin: Origin? = nil) -> [UInt8]? {
        let place = origin ?? Origin(file: path, line: 0)
        func what(_ reason: String) -> String {
            origin == nil ? reason : "\(files.shortened(path)), which it includes, \(reason)"
        }
        let line = origin?.line
        guard isWithinLimits else {
            remark(.error, place.file, line, what("is left out: \(Self.tooMany)"))
            return nil
        }
        switch read(path) {
        case .bytes(let bytes) where bytes.count <= ImportLimits.fileBytes:
            result.read.insert(files.shortened(path))
            return Array(bytes[...].withoutByteOrderMark)
        case .bytes, .tooLarge: remark(.error, place.file, line, what("is longer than 1 MiB"))
        case .missing: remark(.error, place.file, line, what("does not exist"))
        case .directory: remark(.error, place.file, line, what("is a directory"))
        case .unreadable(let reason): remark(.error, place.file, line, what("cannot be read: \(reason)"))
        }
        return nil
    }

    /// Reads a file that a line of another one includes.
    ///
    /// - Parameter chain: the files that include each other, from the configuration on.
    mutating func included(_ path: String, _ key: String, by chain: [String], at origin: Origin) -> [UInt8]? {
        if chain.contains(where: { $0.isSpelled(as: path) }) {
            remark(.error, at: origin, "\(key): \(files.shortened(path)) includes itself")
        } else if chain.count >= ImportLimits.depth {
            remark(.error, at: origin, "\(key): more than \(ImportLimits.depth) files include each other")
        } else {
            return text(of: path, includedBy: origin)
        }
        return nil
    }

    /// The absolute path that a line includes; nil, with a remark, if a variable in it is not set.
    mutating func path(of value: String, _ key: String, at origin: Origin) -> String? {
        let path = files.expanded(value, in: ImportFiles.parent(of: origin.file))
        if path == nil { remark(.error, at: origin, "\(key): \(value) has a variable that is not set") }
        return path
    }

    /// The lines of a file. A line that is not text costs a remark and counts as empty.
    mutating func lines(of bytes: [UInt8], file: String) -> [String] {
        var lines: [String] = []
        for (index, slice) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let line = slice.last == UInt8(ascii: "\r") ? slice.dropLast() : slice
            let text = line.contains(0) ? nil : String(validating: line, as: UTF8.self)
            if let text, !text.hasTooManyMarks {
                lines.append(text)
            } else {
                remark(.error, file, index + 1, "the line is not text, and is left out")
                lines.append("")
            }
        }
        return lines
    }
}

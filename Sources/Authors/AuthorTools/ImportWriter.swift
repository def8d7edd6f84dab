// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import
import TodayModel

/// Puts the files of an import into a directory. Existing files stay as they are.
struct ImportWriter {
    /// The largest plugin; larger files are not scripts.
    private static let mostBytes = 64 << 20
    /// After one of these errors, all further files would fail, too.
    private static let lasting: Set<Int32> = [ENOSPC, EDQUOT, EROFS, EACCES, EPERM]

    private let directory: String
    private let isLinked: Bool
    private let isDryRun: Bool
    private let isSystem: Bool
    /// The group through which the system's todayd reads files that not every user may read; nil in a user's instance.
    private let group: gid_t?
    /// Where the drop-ins go; nil if no todayd reads any.
    private let dropIns: String?
    private let consent: SandboxConsent?
    /// What programs that are there already may access; nil leaves each what it was allowed, or what its user has written.
    private let consentForOld: SandboxConsent?
    private(set) var sandboxes: [ImportReport.File] = []
    private var hasDirectory = false
    /// Why nothing more is written.
    private(set) var failure: ImportReport.Failure?

    init(
        _ options: ImportOptions, directory: String, dropIns: String?, instance: DaemonStatus.Instance,
        group: gid_t? = nil
    ) {
        self.directory = directory
        isLinked = options.isLinked
        isDryRun = options.isDryRun
        isSystem = instance == .system
        self.group = group
        self.dropIns = dropIns
        consent = options.consent
        consentForOld = options.isConsentForNew ? nil : options.consent
    }

    /// Writes no new file, for this reason.
    mutating func refuse(_ reason: String) { failure = .init(reason, isNotPermitted: false) }

    mutating func place(_ plan: ImportPlan) -> [ImportReport.File] {
        var files = plan.manifests.map { place($0) }
        let sidecars = plan.plugins.filter(\.isSidecar).map { ($0.fileName, $0) }
        let values = Dictionary(sidecars) { first, _ in first }
        for plugin in plan.plugins where !plugin.isSidecar {
            files += place(plugin, values[plugin.fileName + PluginName.variablesSuffix])
        }
        return files
    }

    // MARK: Manifests

    private mutating func place(_ manifest: ImportedManifest) -> ImportReport.File {
        let path = "\(directory)/\(manifest.fileName)"
        var file = ImportReport.File(.manifest, .new, path, from: "\(manifest.file):\(manifest.line)")
        file.module = manifest.module
        file.wishes = manifest.wishes.evidence
        if isDryRun { file.text = manifest.text }
        guard shutIn(manifest.id, manifest.wishes, for: &file) else { return file }
        // A command may contain a password. The system's todayd runs as another user and has to read the file.
        let mode: mode_t = isSystem ? 0o644 : 0o600
        return placed(file, isEqual: manifest.isEqual) { () throws(NewFile.Failure) in
            try NewFile.write(manifest.text, at: path, mode: mode)
        }
    }

    // MARK: Plugins

    /// The values come first, so that a todayd that watches the directory finds the plugin complete.
    private mutating func place(_ plugin: ImportedPlugin, _ values: ImportedPlugin?) -> [ImportReport.File] {
        let path = "\(directory)/\(plugin.fileName)"
        var file = ImportReport.File(.plugin, .new, path, from: plugin.path)
        file.wishes = plugin.wishes.evidence
        let source = Source(plugin.path, isLinked: isLinked)
        if let reason = source.obstacle {
            (file.outcome, file.reason) = (.failed, reason)
            return [file]
        }
        if let id = PluginName(fileName: plugin.fileName)?.id, !shutIn(id, plugin.wishes, for: &file) { return [file] }
        var placedValues: ImportReport.File?
        if let values {
            var valuesFile = ImportReport.File(.values, .new, path + PluginName.variablesSuffix, from: values.path)
            if case .other(let reason) = Existing(at: path, isEqual: source.isEqual) {
                (valuesFile.outcome, valuesFile.reason) = (
                    .kept, "the plugin that is there is another one: it \(reason)"
                )
                placedValues = valuesFile
            } else {
                placedValues = place(valuesFile, Source(values.path, isLinked: isLinked), mode: 0o600)
            }
        }
        return [placedValues, place(file, source, mode: plugin.isExecutable ? 0o755 : 0o644)].compactMap { $0 }
    }

    private mutating func place(
        _ file: ImportReport.File, _ source: Source, mode: mode_t
    ) -> ImportReport.File {
        if let reason = source.obstacle {
            var file = file
            (file.outcome, file.reason) = (.failed, reason)
            return file
        }
        let group = group
        return placed(file, isEqual: source.isEqual) { () throws(NewFile.Failure) in
            try source.put(at: file.path, mode: mode, group: group)
        }
    }

    /// What a plugin is copied from, or what a link to it points to.
    private struct Source {
        private(set) var bytes: [UInt8] = []
        private(set) var target: String?
        private(set) var obstacle: String?
        /// A copy lets no user read more than the source does: a script may contain a password.
        private var readers: mode_t = 0

        init(_ path: String, isLinked: Bool) {
            let source = SourceFile(path, limit: ImportWriter.mostBytes, readingAs: geteuid())
            readers = source.mode & 0o755
            switch source.look {
            case .bytes(let read): bytes = read
            case .tooLarge(let size): obstacle = "its source has \(size) bytes and is not a script"
            case .refused(let reason): obstacle = "its source cannot be read: \(reason)"
            case .missing: obstacle = "its source no longer exists"
            case .danglingLink(let target): obstacle = "its source is a link to \(target), which does not exist"
            case .nullDevice, .directory, .notRegular: obstacle = "its source is not a regular file"
            }
            if isLinked { target = Paths.resolved(path) }
        }

        func isEqual(_ other: [UInt8]) -> Bool { other == bytes }

        /// A copy lets no user read more than the source does, but the system's todayd, which is another user, has to read it.
        func put(at path: String, mode: mode_t, group: gid_t?) throws(NewFile.Failure) {
            if let target { return try NewFile.link(to: target, at: path) }
            // A user who may read a program may run it.
            var own = mode & (readers | 0o700)
            if mode & 0o100 != 0 { own |= (own & 0o444) >> 2 }
            guard let group, own & 0o004 == 0 else { return try NewFile.write(bytes, at: path, mode: own) }
            try NewFile.write(bytes, at: path, mode: own & 0o700 | (own & 0o500) >> 3, group: group)
        }
    }

    // MARK: Sandboxes

    /// Writes the drop-in of a program before the program itself, so that a todayd that watches never runs it without a
    /// sandbox.
    ///
    /// - Returns: whether the program may be written.
    private mutating func shutIn(_ id: WidgetID, _ wishes: SandboxWishes, for program: inout ImportReport.File) -> Bool
    {
        guard let dropIns, failure == nil, consentForOld != nil || !Paths.exists(program.path) else { return true }
        let text = wishes.dropIn(consent ?? .wishes([]), isSystem: isSystem)
        let path = "\(dropIns)/\(id)\(WidgetID.dropInSuffix)/import.conf"
        var file = ImportReport.File(.sandbox, .new, path, from: program.path)
        file.text = isDryRun ? text : nil
        let mode: mode_t = isSystem ? 0o644 : 0o600
        switch Existing(at: path, isEqual: { $0 == Array(text.utf8) }) {
        case .equal: return true
        case .other where isDryRun: break
        // The drop-in of an earlier program of this name, or an earlier one of this program.
        case .other: (file.outcome, file.reason) = Self.replace(path, by: text, mode)
        case .nothing:
            file = placed(file, isEqual: { _ in false }) { () throws(NewFile.Failure) in
                try NewFile.write(text, at: path, mode: mode)
            }
        }
        if file.outcome == .new {
            sandboxes.append(file)
            return true
        }
        program.outcome = .failed
        program.reason = file.reason.map { "its sandbox \(path) cannot be written: \($0)" }
        return false
    }

    /// In one step, so that no todayd sees the program without a sandbox in between.
    private static func replace(
        _ path: String, by text: String, _ mode: mode_t
    ) -> (ImportReport.File.Outcome, String?) {
        let draft = "\(Paths.parent(of: path))/.import.conf.\(getpid())"
        unlink(draft)
        do throws(NewFile.Failure) {
            try NewFile.write(text, at: draft, mode: mode)
        } catch {
            return (.failed, error.reason)
        }
        if rename(draft, path) == 0 { return (.new, nil) }
        defer { unlink(draft) }
        return (.failed, String(cString: strerror(errno)))
    }

    // MARK: Any file

    /// Writes a file unless there is one of its name.
    private mutating func placed(
        _ file: ImportReport.File, isEqual: ([UInt8]) -> Bool, write: () throws(NewFile.Failure) -> Void
    ) -> ImportReport.File {
        var file = file
        switch Existing(at: file.path, isEqual: isEqual) {
        case .equal: file.outcome = .unchanged
        case .other(let reason): (file.outcome, file.reason) = (.kept, "it \(reason)")
        case .nothing where isDryRun: break
        case .nothing:
            guard failure == nil, makeDirectory() else {
                file.outcome = .failed
                break
            }
            if file.kind == .sandbox, let error = Self.make(Paths.parent(of: file.path), isSystem) {
                (file.outcome, file.reason) = (.failed, error.description)
                break
            }
            do throws(NewFile.Failure) {
                try write()
            } catch {
                (file.outcome, file.reason) = (.failed, error.reason)
                // Another import was faster.
                if error.isThere { (file.outcome, file.reason) = Existing(at: file.path, isEqual: isEqual).outcome }
                if Self.lasting.contains(error.code) { fail(error.description, error.code) }
            }
        }
        return file
    }

    private mutating func makeDirectory() -> Bool {
        if hasDirectory { return true }
        if let error = Self.make(directory, isSystem) {
            fail(error.description, error.code)
            return false
        }
        hasDirectory = true
        return true
    }

    private static func make(_ directory: String, _ isSystem: Bool) -> DirectoryFailure? {
        do throws(DirectoryFailure) {
            try Paths.makeDirectory(directory, mode: isSystem ? 0o755 : 0o700)
            return nil
        } catch {
            return error
        }
    }

    private mutating func fail(_ reason: String, _ code: Int32) {
        failure = .init(reason, isNotPermitted: code == EACCES || code == EPERM)
    }
}

/// What exists under the name of a file that an import would write.
private enum Existing {
    case nothing
    case equal
    /// The end of a sentence that begins with the file.
    case other(String)

    init(at path: String, isEqual: ([UInt8]) -> Bool) {
        guard Paths.exists(path) else {
            self = .nothing
            return
        }
        switch FileContents(at: path, limit: 64 << 20) {
        case .bytes(let bytes) where isEqual(bytes): self = .equal
        case .bytes(let bytes) where bytes.isEmpty: self = .other("is empty")
        case .bytes, .tooLarge: self = .other("says something else")
        case .nullDevice: self = .other("is a link to /dev/null")
        case .directory: self = .other("is a directory")
        case .notRegular: self = .other("is not a regular file")
        case .danglingLink(let target): self = .other("is a link to \(target), which does not exist")
        case .refused(let reason): self = .other("cannot be read: \(reason)")
        case .missing: self = .nothing
        }
    }

    /// The outcome for a file that another process has just written.
    var outcome: (ImportReport.File.Outcome, String?) {
        switch self {
        case .equal: (.unchanged, nil)
        case .other(let reason): (.kept, "it \(reason)")
        case .nothing: (.failed, "another process has written it and taken it away")
        }
    }
}

// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import
import Registry
import TestSupport
import TodayDaemon
import TodayModel

@testable import AuthorTools

/// A home directory with the fixtures of all hosts as configuration, and imports from it.
struct ImportMachine {
    let home = TemporaryDirectory()

    init(withFixtures: Bool = true) throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        if withFixtures { try copy("\(root)/Fixtures/Import", to: ".config") }
    }

    /// The files belong to this user then, whoever owns the sources.
    private func copy(_ source: String, to name: String) throws {
        if Paths.isDirectory(source) {
            for entry in try DirectoryListing(of: source).entries {
                try copy("\(source)/\(entry.name)", to: "\(name)/\(entry.name)")
            }
        } else if case .bytes(let bytes) = FileContents(at: source, limit: 1 << 20) {
            try home.write(bytes, to: name, mode: Paths.isExecutable(source) ? 0o755 : 0o644)
        }
    }

    var environment: [String: String] {
        ["HOME": home.path, "XDG_CONFIG_HOME": home(".config"), "SHELL": "/bin/sh"]
    }

    func instance(_ kind: DaemonStatus.Instance = .user, _ environment: [String: String]? = nil) throws
        -> DaemonInstance
    {
        let environment = environment ?? self.environment
        return try DaemonInstance(DaemonOptions(instance: kind).completed(in: environment), environment: environment)
    }

    func report(
        _ host: ImportSource, _ path: String? = nil, directory: String? = nil, isLinked: Bool = false,
        isDryRun: Bool = false
    ) throws -> ImportReport {
        let options = ImportOptions(
            host: host, path: path, directory: directory, isLinked: isLinked, isDryRun: isDryRun)
        return ImportMode.report(options, try instance())
    }

    /// What a directory has besides drop-ins.
    func names(_ directory: String) -> [String] {
        ((try? home.names(in: ".config/todayd/\(directory)")) ?? []).filter { !$0.hasSuffix(WidgetID.dropInSuffix) }
    }

    /// Errors and warnings about a manifest, as todayd has them.
    func complaints(about path: String) throws -> [String] {
        FileChecker(try instance()).check(path).complaints.map(\.description)
    }
}

extension ImportReport {
    func count(_ outcome: File.Outcome) -> Int { files.filter { $0.outcome == outcome }.count }

    /// Of the file with this name.
    func file(_ name: String) -> File? { files.first { $0.path.hasSuffix("/\(name)") } }
}

// SPDX-License-Identifier: MIT
import Files
import Platform
import TodayModel

/// Finds the display name of a program's widget: that of the first manifest whose `ExecStart=` starts the program. It looks
/// beside the program, in the package in which the program was built, and where todayd looks.
struct ManifestName {
    /// The path of the program, without symbolic links but the one whose name it was called by.
    let program: String
    let variables: EnvironmentVariables

    private static let suffix = ".widget"
    private static let sizeLimit = 64 << 10
    /// How many levels of directories below a package's `Sources` it looks into.
    private static let depth = 3

    /// The path of this process's program. A program may be several, each called by a link beside it.
    static var ownProgram: String? {
        guard let program = Paths.resolved("/proc/self/exe") else { return nil }
        let called = "\(Paths.parent(of: program))/\(Paths.name(of: CommandLine.arguments.first ?? ""))"
        return Paths.resolved(called) == program ? called : program
    }

    /// Nil if no manifest that starts the program has a display name.
    func find() -> String? {
        let directory = Paths.parent(of: program)
        for place in [directory] + packagePlaces(above: directory) {
            // The manifest may name the path at which the program will be installed, so only the file name has to match.
            if let name = name(in: place, isMeant: { Paths.name(of: $0) == Paths.name(of: program) }) { return name }
        }
        for place in daemonPlaces {
            if let name = name(in: place, isMeant: { $0 == program || Paths.resolved($0) == program }) { return name }
        }
        return nil
    }

    /// The display name in this manifest.
    static func read(_ manifest: String) -> String? {
        guard case .bytes(let bytes) = FileContents(at: manifest, limit: sizeLimit) else { return nil }
        return ManifestLines(String(decoding: bytes, as: UTF8.self)).displayName
    }

    private func name(in directory: String, isMeant: (String) -> Bool) -> String? {
        let files = (try? DirectoryListing(of: directory))?.entries.map(\.name) ?? []
        for file in files where file.hasSuffix(Self.suffix) && !file.hasPrefix(".") {
            let path = "\(directory)/\(file)"
            guard case .bytes(let bytes) = FileContents(at: path, limit: Self.sizeLimit) else { continue }
            let lines = ManifestLines(String(decoding: bytes, as: UTF8.self))
            guard let word = lines.program, let name = lines.displayName else { continue }
            // `./` is the directory of the manifest itself, not that of a link to it.
            let directory = Paths.parent(of: Paths.resolved(path) ?? path)
            if isMeant(target(of: word, besideManifestIn: directory)) { return name }
        }
        return nil
    }

    /// The path of the program that the first word of `ExecStart=` names.
    private func target(of word: String, besideManifestIn directory: String) -> String {
        if word.hasPrefix("./") { return "\(directory)/\(word.dropFirst(2))" }
        let home = variables["HOME"] ?? ""
        for prefix in ["~/", "%h/"] where word.hasPrefix(prefix) { return "\(home)/\(word.dropFirst(prefix.count))" }
        return word
    }

    // MARK: Places

    /// The package in whose `.build` the program is, and the directories of its sources.
    private func packagePlaces(above directory: String) -> [String] {
        let parts = directory.split(separator: "/", omittingEmptySubsequences: false)
        guard let end = parts.firstIndex(of: ".build") else { return [] }
        let package = parts[..<end].joined(separator: "/")
        return [package] + Self.directories(in: "\(package)/Sources", depth: Self.depth)
    }

    private static func directories(in directory: String, depth: Int) -> [String] {
        guard depth > 0, let listing = try? DirectoryListing(of: directory) else { return [] }
        return listing.entries.filter { $0.kind == .directory }.map { "\(directory)/\($0.name)" }
            .flatMap { [$0] + directories(in: $0, depth: depth - 1) }
    }

    private var daemonPlaces: [String] { ManifestDirectories.user { variables[$0] } + ManifestDirectories.system }
}

/// The two lines of a manifest that count here. It does not check the manifest; todayd does.
struct ManifestLines {
    private(set) var displayName: String?
    /// The first word of `ExecStart=`.
    private(set) var program: String?

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...].drop { $0 == " " || $0 == "\t" }
            switch line[..<equals].filter({ $0 != " " && $0 != "\t" }) {
            case "DisplayName": displayName = String(value)
            case "ExecStart": program = Self.firstWord(value)
            default: break
            }
        }
    }

    private static func firstWord(_ text: Substring) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'" else {
            return String(text.prefix { $0 != " " && $0 != "\t" })
        }
        return String(text.dropFirst().prefix { $0 != quote })
    }
}

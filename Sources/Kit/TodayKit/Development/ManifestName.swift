// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// The display name of a program's widget, from its manifest: of the first `*.widget` whose `ExecStart=` is about the
/// program. It is looked for beside the program, in the package that the program was built in, and where todayd looks.
struct ManifestName {
    /// Where the program lies, without links.
    let program: String
    let variables: Variables

    private static let suffix = ".widget"
    private static let longest = 64 << 10
    /// Of directories below a package's `Sources`.
    private static let depth = 3

    /// Nil where no manifest is about the program, or none says a name.
    func find() -> String? {
        let directory = Paths.parent(of: program)
        for place in [directory] + packagePlaces(above: directory) {
            // It is built here and runs elsewhere: the name of the file is enough.
            if let name = name(in: place, isMeant: { Paths.name(of: $0) == Paths.name(of: program) }) { return name }
        }
        for place in daemonPlaces {
            if let name = name(in: place, isMeant: { Paths.resolved($0) == program }) { return name }
        }
        return nil
    }

    /// What a manifest says that the author has named.
    static func read(_ manifest: String) -> String? {
        guard case .bytes(let bytes) = FileLook(at: manifest, limit: longest) else { return nil }
        return ManifestLines(String(decoding: bytes, as: UTF8.self)).displayName
    }

    private func name(in directory: String, isMeant: (String) -> Bool) -> String? {
        let files = (try? DirectoryListing(of: directory))?.entries.map(\.name) ?? []
        for file in files where file.hasSuffix(Self.suffix) && !file.hasPrefix(".") {
            let path = "\(directory)/\(file)"
            guard case .bytes(let bytes) = FileLook(at: path, limit: Self.longest) else { continue }
            let lines = ManifestLines(String(decoding: bytes, as: UTF8.self))
            guard let word = lines.program, let name = lines.displayName else { continue }
            // A link stands for the file in whose directory `./` is.
            let home = Paths.parent(of: Paths.resolved(path) ?? path)
            if isMeant(target(of: word, besideManifestIn: home)) { return name }
        }
        return nil
    }

    /// What the first word of `ExecStart=` stands for.
    private func target(of word: String, besideManifestIn directory: String) -> String {
        if word.hasPrefix("./") { return "\(directory)/\(word.dropFirst(2))" }
        let home = variables["HOME"] ?? ""
        for prefix in ["~/", "%h/"] where word.hasPrefix(prefix) { return "\(home)/\(word.dropFirst(prefix.count))" }
        return word
    }

    // MARK: Places

    /// The package whose `.build` the program lies in, and the directories of its sources.
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

/// The two lines of a manifest that count here. What is wrong in it, todayd says.
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

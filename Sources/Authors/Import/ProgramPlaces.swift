// SPDX-License-Identifier: MIT
import Spelling

/// Where the files are that belong to a program: beside it and beside what it is a link to, those of its interpreter, and the
/// packages of Python that it imports. They are in the home and in other hidden places, as manifests write them: `%h/bin`.
struct ProgramPlaces {
    private(set) var own: [String] = []
    /// Those of interpreters. The text of a script chooses them and not its user, who has to be asked.
    private(set) var ofInterpreters: [String] = []
    /// The text of the modules that scripts only call, as those that an installer of Python packages writes.
    private(set) var modules: [[UInt8]] = []

    /// What marks a virtual environment (PEP 405) and one of conda, which have nothing but programs and their libraries.
    private static let marks = ["pyvenv.cfg", "conda-meta"]

    private let files: ImportFiles
    private let home: String
    /// Where the modules of Python are that a user installs, and those of virtual environments.
    private var sites: [String] = []
    /// The modules that were looked for. No script imports so many.
    private var sought: Set<Substring> = []
    private static let most = 256

    init(_ files: ImportFiles) {
        self.files = files
        home = files.home ?? "/nonexistent"
        sites = sites(in: "\(home)/.local")
    }

    /// Takes a program.
    ///
    /// - Parameter bytes: its text; nil if it may not be read. It may then be another user's link, who chooses where it leads.
    mutating func add(_ program: String, _ bytes: [UInt8]?) {
        guard let bytes else { return open(ImportFiles.parent(of: program)) }
        addWays(to: program)
        add(text: bytes)
    }

    /// Takes what the text of a script names.
    mutating func add(text bytes: [UInt8]) {
        guard !bytes.prefix(4_096).contains(0) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let onlyCalls = bytes.count < 1_024 && text.includes("sys.exit(")
        for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let words = line.split { $0 == " " || $0 == "," || $0 == "\t" }
            if index == 0, line.hasPrefix("#!/"), let interpreter = words.first {
                addWays(to: String(interpreter.dropFirst(2)), isInterpreter: true)
            } else if words.first == "from" {
                add(modules: words.dropFirst().prefix(1), withTexts: onlyCalls)
            } else if words.first == "import" {
                add(modules: words.dropFirst(), withTexts: false)
            }
        }
    }

    private mutating func addWays(to program: String, isInterpreter: Bool = false) {
        for path in files.ways(to: program, home) {
            let directory = ImportFiles.parent(of: path)
            let prefix = ImportFiles.parent(of: directory)
            let isInBin = ImportFiles.name(of: directory) == "bin"
            if isInBin, prefix != home, Self.marks.contains(where: { files.exists("\(prefix)/\($0)") }) {
                sites = sites(in: prefix) + sites
                open(prefix, isInterpreter)
            } else if let packages = path.range(of: "/node_modules/") {
                open(String(path[..<packages.upperBound]), isInterpreter)
            } else {
                open(directory, isInterpreter)
                if isInBin, isInterpreter { open("\(prefix)/lib", isInterpreter) }
            }
        }
    }

    private mutating func add(modules names: some Sequence<Substring>, withTexts: Bool) {
        for name in names where sought.count < Self.most && sought.insert(name).inserted {
            let module = name.split(separator: ".").joined(separator: "/")
            for site in sites {
                guard let text = text(of: module, in: site) else { continue }
                if withTexts { modules.append(text) }
                open(site)
                break
            }
        }
    }

    private func text(of module: String, in site: String) -> [UInt8]? {
        for file in ["\(site)/\(module).py", "\(site)/\(module)/__init__.py"] {
            if case .bytes(let bytes) = files.read(file) { return bytes }
        }
        return nil
    }

    private mutating func open(_ directory: String, _ isOfInterpreter: Bool = false) {
        guard let place = SandboxWishes.place(directory, home) else { return }
        let known = isOfInterpreter ? own + ofInterpreters : own
        if known.contains(where: { place == $0 || place.hasPrefix("\($0)/") }) { return }
        if isOfInterpreter { ofInterpreters.append(place) } else { own.append(place) }
    }

    private func sites(in prefix: String) -> [String] {
        (files.list("\(prefix)/lib").entries ?? []).map(\.name).filter { $0.hasPrefix("python") }.sorted()
            .map { "\(prefix)/lib/\($0)/site-packages" }
    }
}

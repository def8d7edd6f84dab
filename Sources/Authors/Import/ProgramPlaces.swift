// SPDX-License-Identifier: MIT
import Spelling

/// Where the files are that belong to a program: beside it and beside what it is a link to, those of its interpreter, and the
/// packages of Python that it imports. They are in the home and in other hidden places, as manifests write them: `%h/bin`.
struct ProgramPlaces {
    private(set) var own: [String] = []
    /// Those of interpreters. The text of a script chooses them, and not the user, so the import asks.
    private(set) var ofInterpreters: [String] = []
    private(set) var python: PythonModules

    /// What marks a virtual environment (PEP 405) and one of conda, which have nothing but programs and their libraries.
    private static let marks = ["pyvenv.cfg", "conda-meta"]

    private let files: ImportFiles
    private let home: String

    init(_ files: ImportFiles) {
        self.files = files
        home = files.home ?? "/nonexistent"
        python = PythonModules(files)
        python.addSites(of: "\(home)/.local")
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
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if line.hasPrefix("#!/"), let interpreter = line.dropFirst(2).split(separator: " ").first {
            addWays(to: String(interpreter), isInterpreter: true)
        }
        python.add(importsOf: bytes)
        for site in python.used { open(site) }
    }

    private mutating func addWays(to program: String, isInterpreter: Bool = false) {
        for path in files.ways(to: program, home) {
            let directory = ImportFiles.parent(of: path)
            let prefix = ImportFiles.parent(of: directory)
            let isInBin = ImportFiles.name(of: directory) == "bin"
            if isInBin, prefix != home, Self.marks.contains(where: { files.exists("\(prefix)/\($0)") }) {
                python.addSites(of: prefix)
                open(prefix, isInterpreter)
            } else if let packages = path.range(of: "/node_modules/") {
                open(String(path[..<packages.upperBound]), isInterpreter)
            } else {
                open(directory, isInterpreter)
                if isInBin, isInterpreter { open("\(prefix)/lib", isInterpreter) }
            }
        }
    }

    private mutating func open(_ directory: String, _ isOfInterpreter: Bool = false) {
        guard let place = SandboxWishes.place(directory, home) else { return }
        let known = isOfInterpreter ? own + ofInterpreters : own
        if known.contains(where: { place == $0 || place.hasPrefix("\($0)/") }) { return }
        if isOfInterpreter { ofInterpreters.append(place) } else { own.append(place) }
    }
}

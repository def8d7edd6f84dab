// SPDX-License-Identifier: MIT
import Spelling

/// The modules of Python that scripts import from the packages of their user, or from a virtual environment.
struct PythonModules {
    /// The directories that have an imported module.
    private(set) var used: [String] = []
    /// The text of the modules that are the program of a script: an installer's only calls one.
    private(set) var texts: [[UInt8]] = []

    private let files: ImportFiles
    private var sites: [String] = []
    private var sought: Set<String> = []

    /// How many modules are looked for. No script imports so many.
    private static let most = 256

    init(_ files: ImportFiles) { self.files = files }

    /// Looks first where the programs of this prefix have their modules: `~/.local`.
    mutating func addSites(of prefix: String) {
        let names = (files.list("\(prefix)/lib").entries ?? []).map(\.name).filter { $0.hasPrefix("python") }.sorted()
        sites = names.map { "\(prefix)/lib/\($0)/site-packages" } + sites
    }

    mutating func add(importsOf script: [UInt8]) {
        let onlyCalls = script.count < 1_024 && String(decoding: script, as: UTF8.self).includes("sys.exit(")
        for (isFrom, names) in Self.imports(of: script) {
            for name in isFrom ? Array(names.prefix(1)) : names {
                look(for: name.split(separator: "."), isProgram: isFrom && onlyCalls)
            }
        }
    }

    private mutating func look(for module: [Substring], isProgram: Bool) {
        let name = module.joined(separator: "/")
        guard sought.count < Self.most, sought.insert(name).inserted else { return }
        for site in sites {
            for (file, package) in [("\(name).py", module.dropLast()), ("\(name)/__init__.py", module[...])] {
                guard case .bytes(let text) = files.read("\(site)/\(file)") else { continue }
                if !used.contains(site) { used.append(site) }
                if isProgram { follow(text, in: Array(package)) }
                return
            }
        }
    }

    /// Takes a module of a program, and the modules of the same package that it imports.
    private mutating func follow(_ text: [UInt8], in package: [Substring]) {
        texts.append(text)
        for case (true, let names) in Self.imports(of: text) {
            guard let first = names.first else { continue }
            // Of the dots of a relative import, the first is the package itself.
            let dots = first.prefix { $0 == "." }.count
            let base = dots == 0 ? [] : Array(package.dropLast(dots - 1))
            let module = base + first.split(separator: ".")
            guard module.first == package.first else { continue }
            look(for: module, isProgram: true)
            for name in names.dropFirst(2) { look(for: module + [name], isProgram: true) }
        }
    }

    /// `from a import b` as `a`, `import`, `b`, and `import a, b` as `a`, `b`.
    private static func imports(of text: [UInt8]) -> [(isFrom: Bool, names: [Substring])] {
        String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split { " ,\t()".contains($0) }
            guard let first = words.first, first == "from" || first == "import" else { return nil }
            return (first == "from", Array(words.dropFirst()))
        }
    }
}

// SPDX-License-Identifier: MIT

/// What an import asks of the machine. Closures give the answers, so that the import itself touches nothing.
package struct ImportFiles {
    package enum Reading: Equatable {
        case bytes([UInt8])
        case missing
        case directory
        /// More than `ImportLimits.fileBytes`.
        case tooLarge
        /// With the reason, such as "Permission denied".
        case unreadable(String)
    }

    package struct Entry: Equatable {
        package var name: String
        package var isDirectory: Bool
        package var isExecutable: Bool

        package init(name: String, isDirectory: Bool = false, isExecutable: Bool = true) {
            self.name = name
            self.isDirectory = isDirectory
            self.isExecutable = isExecutable
        }
    }

    package enum Listing: Equatable {
        /// In any order. A link counts as what it points to.
        case entries([Entry])
        /// There is no directory of this name.
        case missing
        /// With the reason, such as "Permission denied".
        case unreadable(String)

        var entries: [Entry]? { if case .entries(let entries) = self { entries } else { nil } }
    }

    /// Reads a file by its absolute path.
    package var read: (_ path: String) -> Reading
    /// What a directory has.
    package var list: (_ path: String) -> Listing
    /// The path without links in it; nil for what does not exist.
    package var resolved: (_ path: String) -> String?
    /// The paths that a link leads to, one after another.
    package var links: (_ path: String) -> [String]
    /// An environment variable of the user.
    package var variable: (_ name: String) -> String?

    package init(
        read: @escaping (String) -> Reading, list: @escaping (String) -> Listing,
        resolved: @escaping (String) -> String? = { _ in nil }, links: @escaping (String) -> [String] = { _ in [] },
        variable: @escaping (String) -> String?
    ) {
        self.read = read
        self.list = list
        self.resolved = resolved
        self.links = links
        self.variable = variable
    }
}

extension ImportFiles {
    /// Whether there is a file. An unreadable one counts, because it is the one that the host means; the plan says why it
    /// cannot be read.
    func isFile(_ path: String) -> Bool {
        switch read(path) {
        case .missing, .directory: false
        case .bytes, .tooLarge, .unreadable: true
        }
    }

    /// Whether there is something of the name that a program uses.
    func exists(_ name: String) -> Bool { expanded(name, in: "/").flatMap(resolved) != nil }

    /// A path with `~`, `$NAME` and `${NAME}` replaced, below `directory` if it is relative. Nil if it names an unknown
    /// variable.
    func expanded(_ path: String, in directory: String) -> String? {
        guard let text = withVariables(path) else { return nil }
        if text == "~" || text.hasPrefix("~/") { return home.map { Self.normalized($0 + text.dropFirst()) } }
        return Self.normalized(text.hasPrefix("/") ? text : "\(directory)/\(text)")
    }

    /// The path without `.` and `..`, which reveals a file that includes itself by a detour.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The paths by which a program reaches a file: its own, those of links, and the one without links. The home has the name
    /// that its user knows: it may itself be below a link.
    func ways(to path: String, _ home: String) -> [String] {
        let ways = [path] + links(path).map(Self.normalized)
        guard let real = resolved(path), let realHome = resolved(home) else { return ways }
        return ways + [real.hasPrefix("\(realHome)/") ? home + real.dropFirst(realHome.count) : real]
    }

    var home: String? { variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }

    private func withVariables(_ path: String) -> String? {
        var result = ""
        var rest = path[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            let isBraced = rest.first == "{"
            if isBraced { rest.removeFirst() }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            rest = rest.dropFirst(name.count)
            if isBraced {
                guard rest.first == "}" else { return nil }
                rest.removeFirst()
            }
            guard let value = variable(String(name)) else { return nil }
            result += value
        }
        return result + rest
    }

    /// The path for people, with `~` for the home directory.
    func shortened(_ path: String) -> String {
        guard let home, home.utf8.count > 1, path.hasPrefix("\(home)/") else { return path }
        return "~\(path.dropFirst(home.count))"
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    static func name(of path: some StringProtocol) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}

// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Testing
import TodayModel

@testable import Import

/// Files for an import that are only in memory.
struct Machine {
    var files: [String: [UInt8]] = [:]
    var directories: [String: [ImportFiles.Entry]] = [:]
    var variables = ["HOME": "/home/ada"]
    /// What stands in the place of the beginning of a path.
    var links: [String: String] = [:]
    /// The paths on the way of a link.
    var steps: [String: [String]] = [:]

    init(_ files: [String: String] = [:]) {
        for (path, text) in files { self.files[path] = Array(text.utf8) }
    }

    var importFiles: ImportFiles {
        ImportFiles(
            read: { path in files[path].map { .bytes($0) } ?? (directories[path] == nil ? .missing : .directory) },
            list: { directories[$0].map { .entries($0) } ?? .missing },
            resolved: { path in
                if let link = links.first(where: { path.hasPrefix($0.key) }) {
                    return link.value + path.dropFirst(link.key.count)
                }
                return files.keys.contains { $0 == path || $0.hasPrefix("\(path)/") } ? path : nil
            },
            links: { steps[$0] ?? [] }, variable: { variables[$0] })
    }

    func plan(_ source: ImportSource, _ path: String = "/home/ada/config") -> ImportPlan {
        ImportPlan.plan(for: source, path: path, files: importFiles)
    }

    /// The plan of one file.
    static func plan(_ source: ImportSource, _ text: String) -> ImportPlan {
        Machine(["/home/ada/config": text]).plan(source)
    }

    static func plan(_ source: ImportSource, _ bytes: [UInt8]) -> ImportPlan {
        var machine = Machine()
        machine.files["/home/ada/config"] = bytes
        return machine.plan(source)
    }
}

extension ImportPlan {
    var texts: [String] { remarks.map(\.description) }
    var ids: [String] { manifests.map(\.id.text) }

    func manifest(_ id: String) throws -> ImportedManifest {
        try #require(manifests.first { $0.id.text == id }, "\(ids)")
    }

    /// The plan as the golden files have it.
    var golden: String {
        var text = ""
        for manifest in manifests {
            text += "=== \(manifest.fileName)\n\(manifest.text)\(manifest.wishes.golden)\n"
        }
        for plugin in plugins {
            text +=
                "=== plugins/\(plugin.fileName) -> \(plugin.path)\(plugin.isSidecar ? " (values)" : "")\n\(plugin.wishes.golden)"
        }
        for replacement in replacements {
            text += "=== \(replacement.module) in place of \(replacement.source)\n"
            text += "\(replacement.value.pretty)\n"
        }
        for remark in remarks { text += "\(remark.kind) \(remark)\n" }
        return text
    }
}

extension SandboxWishes {
    var golden: String {
        SandboxWish.allCases.compactMap { wish in evidence[wish].map { "wants \(wish.words): \($0)\n" } }.joined()
            + (own + files).map { "has \($0)\n" }.joined()
    }
}

extension ImportedManifest {
    /// The values of a key, in the order of the file.
    func values(_ key: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
    }

    func value(_ key: String) -> String? { values(key).first }

    /// argv of the program.
    func command() throws -> [String] { try Unquoting.words(value("ExecStart") ?? "") }

    /// The script that a shell gets.
    func script() throws -> String {
        let words = try command()
        #expect(words.count == 3)
        #expect(words.dropFirst().first == "-c")
        return words.last ?? ""
    }
}

/// Reads words by systemd.syntax(7), written from the manual page and apart from the code that writes them.
enum Unquoting {
    struct Wrong: Error {
        var what: String
    }

    static func words(_ value: String) throws -> [String] {
        var words: [[UInt8]] = []
        var open: UInt8?
        var isInWord = false
        var bytes = Array(value.utf8)[...]
        while let byte = bytes.popFirst() {
            if open == nil, byte == 0x20 || byte == 0x09 {
                isInWord = false
                continue
            }
            if !isInWord { words.append([]) }
            isInWord = true
            let last = words.count - 1
            switch byte {
            case 0x5c: words[last].append(try escape(&bytes))
            case 0x25:
                guard bytes.popFirst() == 0x25 else { throw Wrong(what: "a specifier") }
                words[last].append(0x25)
            case 0x27, 0x22:
                if open == nil { open = byte } else if open == byte { open = nil } else { words[last].append(byte) }
            case 0..<0x20: throw Wrong(what: "a control character")
            default: words[last].append(byte)
            }
        }
        guard open == nil else { throw Wrong(what: "an open quote") }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func escape(_ bytes: inout ArraySlice<UInt8>) throws -> UInt8 {
        let simple: [UInt8: UInt8] = [
            0x5c: 0x5c, 0x27: 0x27, 0x22: 0x22, 0x6e: 0x0a, 0x74: 0x09, 0x72: 0x0d, 0x73: 0x20,
        ]
        guard let letter = bytes.popFirst() else { throw Wrong(what: "a backslash at the end") }
        if letter == 0x78 {
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            bytes = bytes.dropFirst(2)
            guard let value = UInt8(digits, radix: 16), value != 0 else { throw Wrong(what: "\\x\(digits)") }
            return value
        }
        guard let value = simple[letter] else { throw Wrong(what: "an escape") }
        return value
    }
}

/// The fixtures, as if they were the configuration of ada.
struct Fixture {
    static let configuration = "/home/ada/.config"

    static func root(_ file: String = #filePath) -> String {
        "/" + file.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures"
    }

    private static func real(_ path: String) -> String? {
        path.hasPrefix("\(configuration)/") ? "\(root())/Import\(path.dropFirst(configuration.count))" : nil
    }

    static func bytes(_ path: String) -> [UInt8]? {
        guard let stream = fopen(path, "re") else { return nil }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return bytes
    }

    private static func entries(_ path: String) -> [ImportFiles.Entry]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var entries: [ImportFiles.Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name != ".", name != "..", stat("\(path)/\(name)", &status) == 0 else { continue }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            entries.append(
                ImportFiles.Entry(name: name, isDirectory: isDirectory, isExecutable: status.st_mode & 0o100 != 0))
        }
        return entries
    }

    static var files: ImportFiles {
        ImportFiles(
            read: { path in
                guard let real = real(path) else { return .missing }
                if entries(real) != nil { return .directory }
                return bytes(real).map { .bytes($0) } ?? .missing
            },
            list: { path in real(path).flatMap(entries).map { .entries($0) } ?? .missing },
            variable: { ["HOME": "/home/ada", "XDG_CONFIG_HOME": "/home/ada/.config", "SHELL": "/bin/zsh"][$0] })
    }

    /// Compares with a file in Tests/Fixtures/Golden. With TODAY_UPDATE_GOLDEN=1 it writes the file instead.
    static func expectGolden(_ name: String, _ text: String) throws {
        let path = "\(root())/Golden/\(name).txt"
        if getenv("TODAY_UPDATE_GOLDEN") != nil {
            let stream = try #require(fopen(path, "we"))
            fputs(text, stream)
            fclose(stream)
            return
        }
        let golden = try #require(bytes(path), "\(path) is missing")
        #expect(text == String(decoding: golden, as: UTF8.self), "\(name).txt")
    }
}

/// Runs a script in the shell of this machine.
enum Shell {
    static func run(_ script: String) throws -> (output: String, status: Int32) {
        let quoted = script.map { $0 == "'" ? "'\\''" : "\($0)" }.joined()
        let stream = try #require(popen("/bin/sh -c '\(quoted)'", "re"))
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        let status = pclose(stream)
        return (String(decoding: bytes, as: UTF8.self), (status >> 8) & 0xff)
    }
}

// SPDX-License-Identifier: MIT
import Import
import TodayModel

/// A directory of plugins is somebody else's, and each import of it must give a plan that can be written.
enum PluginDirectoryChecks {
    private static let hosts: [ImportSource] = [.xbar, .swiftbar, .argos, .plugins]

    /// Names and the beginnings of files, in turn, with NUL behind each. The first byte of a beginning says what the file is.
    static func read(_ bytes: [UInt8]) {
        var heads: [[UInt8]: [UInt8]] = [:]
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        for index in stride(from: 0, to: parts.count, by: 2) {
            let text = String(decoding: parts[index].filter { $0 != UInt8(ascii: "/") }.prefix(255), as: UTF8.self)
            guard !text.isEmpty, text != ".", text != ".." else { continue }
            heads[Array(text.utf8)] = parts.indices.contains(index + 1) ? parts[index + 1] : []
        }
        let entries = heads.map { name, head in
            let kind = head.first ?? 0
            return ImportFiles.Entry(
                name: String(decoding: name, as: UTF8.self), isDirectory: kind & 7 == 7, isExecutable: kind & 1 == 1)
        }
        let files = ImportFiles(
            read: { path in heads[Array(ImportFilePath.name(of: path))].map { .bytes($0) } ?? .missing },
            list: { path in path == "/plugins" ? .entries(entries) : .missing }, variable: { _ in nil })
        for host in hosts {
            check(ImportPlan.plan(for: host, path: "/plugins", files: files), entries)
            for entry in entries.prefix(4) {
                check(ImportPlan.plan(for: host, path: "/plugins/\(entry.name)", files: files), entries)
            }
        }
    }

    private static func check(_ plan: ImportPlan, _ entries: [ImportFiles.Entry]) {
        expect(plan.manifests.isEmpty && plan.replacements.isEmpty)
        for remark in plan.remarks { expectPlain(remark.description, "a remark") }
        let names = plan.plugins.map { Array($0.fileName.utf8) }
        expect(Set(names).count == names.count, "a name twice")
        for plugin in plan.plugins {
            expectPlain(plugin.fileName, "a name")
            let name = Array(plugin.fileName.utf8)
            expect(
                entries.contains { Array($0.name.utf8) == name && !$0.isDirectory }, "\(plugin.fileName) is not there")
            expect(Array(plugin.path.utf8) == Array("/plugins/".utf8) + name)
            if plugin.isSidecar {
                let owner = Array(name.dropLast(PluginName.variablesSuffix.utf8.count))
                expect(names.contains(owner), "\(plugin.fileName) belongs to no plugin")
            } else {
                expect(PluginName(fileName: plugin.fileName) != nil, "\(plugin.fileName) is not a plugin")
            }
        }
    }
}

/// The last part of a path, by bytes.
enum ImportFilePath {
    static func name(of path: String) -> some Sequence<UInt8> {
        path.utf8.suffix(
            from: path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex)
    }
}

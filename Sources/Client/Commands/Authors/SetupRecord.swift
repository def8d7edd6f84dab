// SPDX-License-Identifier: MIT

import Files
import Glibc
import Link
import Platform
import Rendering
import TodayModel

/// A record of the files that setups have written, so that they can be removed: one file for each setup, with the hash and the
/// path of a file in each line.
struct SetupRecord {
    enum Outcome: Equatable {
        case removed, changed, gone
        /// The sandbox of a program that stays.
        case needed
        case failed(String)

        var isFailure: Bool { if case .failed = self { true } else { false } }
    }

    private static let mostBytes = 4 << 20
    private let directory: String?

    init(_ environment: EnvironmentVariables) {
        let home = environment["HOME"].map { "\($0)/.local/state" }
        directory = (environment["XDG_STATE_HOME"] ?? home).map { "\($0)/todayctl" }
    }

    private static func hash(of path: String) -> UInt64? {
        guard case .bytes(let bytes) = FileContents(at: path, limit: 64 << 20) else { return nil }
        return StableHash(bytes).value
    }

    func write(_ paths: [String]) throws {
        guard let directory else { throw ClientError("HOME is not set: setup cannot be undone") }
        let lines = paths.compactMap { path in Self.hash(of: path).map { "\($0) \(path)\n" } }.joined()
        do {
            try Paths.makeDirectory(directory, mode: 0o700)
            try NewFile.write(lines, at: "\(directory)/setup-\(WallTime.now.microseconds)", mode: 0o600)
        } catch {
            throw ClientError("\(error)")
        }
    }

    /// Removes the files that are still as written, and then the record.
    func undo() throws -> [(path: String, outcome: Outcome)] {
        guard let directory, let entries = try? DirectoryListing(of: directory).entries else { return [] }
        var outcomes: [(path: String, outcome: Outcome)] = []
        for name in entries.map(\.name).filter({ $0.hasPrefix("setup-") }).sorted() {
            let record = "\(directory)/\(name)"
            guard case .bytes(let bytes) = FileContents(at: record, limit: Self.mostBytes) else { continue }
            let files = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .compactMap { line -> (path: String, hash: UInt64)? in
                    let parts = line.split(separator: " ", maxSplits: 1)
                    guard parts.count == 2, let hash = UInt64(parts[0]) else { return nil }
                    return (String(parts[1]), hash)
                }
            var kept: Set<String> = []
            var undone: [(path: String, outcome: Outcome)] = []
            // A program that stays keeps the sandbox that it came with.
            for file in files.filter({ !Self.isDropIn($0.path) }) + files.filter({ Self.isDropIn($0.path) }) {
                let id = Self.widget(of: file.path)
                let isNeeded = Self.isDropIn(file.path) && kept.contains(id)
                undone.append((file.path, isNeeded ? .needed : Self.remove(file.path, ifItHas: file.hash)))
                if Paths.exists(file.path) { kept.insert(id) }
            }
            outcomes += undone
            if !undone.contains(where: \.outcome.isFailure) { unlink(record) }
        }
        return outcomes
    }

    private static func remove(_ path: String, ifItHas hash: UInt64) -> Outcome {
        if !Paths.exists(path) { return .gone }
        guard Self.hash(of: path) == hash else { return .changed }
        guard unlink(path) == 0 else { return .failed(String(cString: strerror(errno))) }
        // Removes the directory of drop-ins if the user has nothing else in it.
        if isDropIn(path) { rmdir(Paths.parent(of: path)) }
        return .removed
    }

    private static func isDropIn(_ path: String) -> Bool { Paths.parent(of: path).hasSuffix(WidgetID.dropInSuffix) }

    /// The identifier of the widget that a manifest, a plugin or a drop-in belongs to.
    private static func widget(of path: String) -> String {
        if isDropIn(path) {
            return String(Paths.name(of: Paths.parent(of: path)).dropLast(WidgetID.dropInSuffix.count))
        }
        let name = Paths.name(of: path)
        if name.hasSuffix(".widget") { return String(name.dropLast(".widget".count)) }
        return PluginName(fileName: name)?.id.text ?? name
    }
}

/// A bar that the user has configured.
struct InstalledBar: Equatable {
    let title: String
    let kind: BarKind
    let path: String

    private static let known: [(title: String, kind: BarKind, places: [String])] = [
        ("Waybar", .waybar, ["waybar/config", "waybar/config.jsonc"]), ("sway", .i3bar, ["sway/config"]),
        ("i3", .i3bar, ["i3/config"]), ("Polybar", .polybar, ["polybar/config.ini", "polybar/config"]),
        ("tmux", .tmux, ["tmux/tmux.conf"]), ("yambar", .yambar, ["yambar/config.yml"]),
    ]

    static func all(_ environment: EnvironmentVariables) -> [InstalledBar] {
        guard let home = environment["HOME"] else { return [] }
        let base = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        return known.compactMap { title, kind, places in
            let own = kind == .tmux ? ["\(home)/.tmux.conf"] : []
            let path = (places.map { "\(base)/\($0)" } + own).first(where: Paths.isRegularFile)
            return path.map { InstalledBar(title: title, kind: kind, path: $0) }
        }
    }
}

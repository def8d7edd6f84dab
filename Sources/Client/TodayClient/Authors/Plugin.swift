// SPDX-License-Identifier: MIT

import Arguments
import Files
import Glibc
import JSON
import TodayModel

/// Puts the scripts of other bars where todayd runs them.
struct Plugin: ControlCommand {
    static let command = Command(
        "plugin", summary: "add scripts for xbar, BitBar, SwiftBar and Argos",
        description: "They run unchanged, once for the whole machine; todayd.widget(5) says what it reads of them.",
        subcommands: [
            Command(
                "add", summary: "copy plugins into the directory of your todayd",
                description: """
                    Copies each FILE, and of each DIRECTORY the files that are executable or have an interval in their name, \
                    such as cpu.5m.sh, with their NAME.vars.json. A copy gets the run bit. A file that is there stays as it \
                    is, and the exit status is then 8. todayd reads the plugins at once.
                    """,
                options: [
                    Option("link", help: "Link to the files in place of copying them"),
                    Option("directory", short: "d", value: "DIR", completion: .files, help: "Put them there"),
                ],
                positionals: [
                    Positional("FILE", isRepeating: true, completion: .files, help: "A plugin, or a directory of them")
                ],
                examples: [.init("todayctl plugin add ~/.config/argos", "All plugins of Argos.")])
        ])

    let paths: [String]
    let isLinked: Bool
    private let directory: String?
    private let instance: DaemonStatus.Instance?

    init(_ arguments: ParsedArguments) {
        paths = arguments.positionals("FILE")
        isLinked = arguments.has("link")
        directory = arguments.value("directory")
        instance = arguments.has("system") ? .system : arguments.has("user") ? .user : nil
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let places = ManifestPlaces(context.environment)
        let isSystem = instance.map { $0 == .system } ?? places.isRoot
        let widgets = (isSystem ? places.system : places.user).first
        guard let directory = directory ?? widgets.map({ "\(Paths.parent(of: $0))/plugins" }) else {
            throw ClientError("HOME is not set: give --directory DIR")
        }
        do throws(DirectoryFailure) {
            try Paths.makeDirectory(directory, mode: isSystem ? 0o755 : 0o700)
        } catch {
            throw ClientError(error.description, error.code == EACCES ? .notPermitted : .failed)
        }
        var added: [String] = []
        var code = ExitCode.ok
        for path in paths {
            for source in try PluginSource.files(of: path) {
                do throws(ClientError) {
                    added.append(try source.put(into: directory, isLinked: isLinked))
                } catch {
                    context.output.warn("\(error)")
                    code = error.code
                }
            }
        }
        if context.output.isJSON {
            try context.output.print(["added": JSON(added)])
        } else if !context.output.isQuiet {
            for path in added { try context.output.print("added \(places.shortened(path))") }
            if !added.isEmpty, self.directory == nil { try context.output.print("Next: todayctl list") }
        }
        return code
    }
}

/// A file that is to become a plugin.
struct PluginSource: Equatable {
    /// The largest file that is copied; larger ones are no scripts.
    private static let mostBytes = 64 << 20

    let path: String

    /// The file, or the plugins of a directory.
    static func files(of path: String) throws(ClientError) -> [PluginSource] {
        guard Paths.isDirectory(path) else {
            guard Paths.isRegularFile(path) else {
                throw ClientError(Paths.exists(path) ? "\(path) is no file" : "there is no \(path)")
            }
            return [PluginSource(path: path)]
        }
        let entries: [DirectoryListing.Entry]
        do throws(DirectoryListing.Failure) {
            entries = try DirectoryListing(of: path).entries
        } catch {
            throw ClientError("\(path) cannot be listed: \(error)")
        }
        let plugins = entries.filter { entry in
            isName(entry.name) && Paths.isRegularFile("\(path)/\(entry.name)")
                && (hasInterval(entry.name) || Paths.isExecutable("\(path)/\(entry.name)"))
        }
        if plugins.isEmpty {
            throw ClientError(
                "\(path) has no plugins: no file is executable or has an interval in its name (cpu.5m.sh)")
        }
        return plugins.map { PluginSource(path: "\(path)/\($0.name)") }
    }

    /// Whether todayd takes a file of this name for a plugin.
    static func isName(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix(".off") && !name.hasSuffix(".vars.json")
    }

    /// Whether a part of the name, behind the first, is a number and a unit: `5m`, `10s+`.
    static func hasInterval(_ name: String) -> Bool {
        name.split(separator: ".").dropFirst().contains { part in
            let body = part.hasSuffix("+") ? part.dropLast() : part
            let number = body.prefix { $0.isASCII && $0.isNumber }
            return !number.isEmpty && ["ms", "s", "m", "h", "d"].contains(body.dropFirst(number.count))
        }
    }

    /// Copies or links the file and its variables. Returns the path of the plugin.
    func put(into directory: String, isLinked: Bool) throws(ClientError) -> String {
        let target = "\(directory)/\(Paths.name(of: path))"
        let variables = "\(path).vars.json"
        // The variables come first, so that a todayd that watches finds the plugin complete.
        if Paths.isRegularFile(variables), !Paths.exists(target) {
            try put(variables, at: "\(target).vars.json", mode: 0o600, isLinked: isLinked)
        }
        try put(path, at: target, mode: 0o755, isLinked: isLinked)
        return target
    }

    private func put(_ source: String, at target: String, mode: mode_t, isLinked: Bool) throws(ClientError) {
        if Paths.exists(target) { throw ClientError("\(target) is there and stays as it is") }
        if isLinked {
            guard let resolved = Paths.resolved(source) else { throw ClientError("there is no \(source)") }
            if symlink(resolved, target) != 0 {
                throw ClientError("cannot write \(target): \(String(cString: strerror(errno)))")
            }
            return
        }
        switch FileLook(at: source, limit: Self.mostBytes) {
        case .bytes(let bytes):
            do throws(NewFile.Failure) {
                try NewFile.write(bytes, at: target, mode: mode)
            } catch {
                throw ClientError("\(error)", error.code == EACCES ? .notPermitted : .failed)
            }
        case .tooLarge(let size): throw ClientError("\(source) has \(size) bytes and is no script")
        case .refused(let reason): throw ClientError("\(source) cannot be read: \(reason)")
        default: throw ClientError("\(source) is no file")
        }
    }
}

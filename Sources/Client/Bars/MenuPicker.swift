// SPDX-License-Identifier: MIT

import Link
import Platform
import TodayModel

/// A program that shows lines in a window and prints the one that the user chooses, as dmenu(1) does.
package struct MenuPicker: Equatable {
    /// A pipe holds this many bytes before anything is read: pipe(7). The rest of a longer menu is left out.
    private static let mostBytes = 60_000

    package let path: String
    /// The arguments before the name of the menu.
    let arguments: [String]

    /// How each program takes lines and a prompt, by its manual page. In a Wayland session, those of Wayland come first.
    private static let wayland: [(name: String, arguments: [String])] = [
        ("fuzzel", ["--dmenu", "--prompt"]), ("wofi", ["--dmenu", "--insensitive", "--prompt"]),
        ("tofi", ["--prompt-text"]), ("bemenu", ["-i", "-p"]), ("rofi", ["-dmenu", "-i", "-p"]),
    ]
    private static let x11: [(name: String, arguments: [String])] = [
        ("rofi", ["-dmenu", "-i", "-p"]), ("dmenu", ["-i", "-p"]), ("bemenu", ["-i", "-p"]),
    ]

    /// The first program that is installed and has a display; nil if there is none.
    package init?(_ environment: EnvironmentVariables) {
        let hasWayland = environment["WAYLAND_DISPLAY"] != nil
        guard hasWayland || environment["DISPLAY"] != nil else { return nil }
        let search = environment.programPath
        for (name, arguments) in hasWayland ? Self.wayland : Self.x11 {
            guard let path = SpawnedProgram.find(name, in: search) else { continue }
            self.init(path: path, arguments: arguments)
            return
        }
        return nil
    }

    /// - Parameter program: one of the above, or another one that takes lines and prints one of them.
    package init(named program: String, in environment: EnvironmentVariables) throws(ClientError) {
        let search = environment.programPath
        guard let path = program.contains("/") ? program : SpawnedProgram.find(program, in: search) else {
            throw ClientError("--with: there is no program '\(program)' in \(search)", .usage)
        }
        let base = path.split(separator: "/").last.map(String.init) ?? path
        let known = (Self.wayland + Self.x11).first { $0.name == base }
        self.init(path: path, arguments: known?.arguments ?? [])
    }

    init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// - Returns: the line that the user has chosen; nil if the user has chosen none.
    package func ask(_ name: String, _ lines: [String]) throws -> String? {
        var text: [UInt8] = []
        for line in lines where text.count + line.utf8.count < Self.mostBytes { text += Array("\(line)\n".utf8) }
        var plan = SpawnedProgram.Plan(path, arguments.isEmpty ? [] : arguments + ["\(name) "], output: .pipe)
        plan.input = .bytes(text)
        let program: SpawnedProgram
        do throws(SpawnedProgram.Failure) { program = try SpawnedProgram(plan) } catch {
            throw ClientError("\(error)")
        }
        var answer: [UInt8] = []
        while let bytes = program.read(), answer.count < Self.mostBytes { answer += bytes }
        // They end with status 1 or 2 if nothing is chosen.
        guard program.wait() == .exited(0) else { return nil }
        let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }
}

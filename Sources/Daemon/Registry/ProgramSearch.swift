// SPDX-License-Identifier: MIT
import Files

/// Looks for the program of a manifest: at its path, or where programs are that are named without one.
struct ProgramSearch: Sendable {
    enum Finding: Hashable {
        case found(String)
        /// Why not and what to do, and the directories in which a change may help.
        case missing(reason: String, awaited: [String])
    }

    /// The directories of `PATH`.
    var directories: [String] = []

    func look(for program: String) -> Finding {
        guard !program.contains("/") else { return look(at: program) }
        var hindrance: String?
        for directory in directories {
            let path = "\(directory)/\(program)"
            if Paths.isExecutable(path) { return .found(path) }
            if hindrance == nil, Paths.isRegularFile(path) {
                hindrance = Paths.hindranceToRun(path).map { "\(path) \($0)" }
            }
        }
        let places = directories.joined(separator: ", ")
        return .missing(
            reason: hindrance
                ?? "there is no program \"\(program)\"; install it, or write its path: it is not in \(places)",
            awaited: directories)
    }

    private func look(at path: String) -> Finding {
        guard let hindrance = Paths.hindranceToRun(path) else { return .found(path) }
        let cure = hindrance == Paths.doesNotExist ? "; \(cure(forMissing: path))" : ""
        return .missing(reason: "\(path) \(hindrance)\(cure)", awaited: [Paths.parent(of: path)])
    }

    private func cure(forMissing path: String) -> String {
        let name = Paths.name(of: path)
        if !name.isEmpty, case .found(let other) = look(for: name) { return "there is \(other)" }
        return "put the program there, or correct the path"
    }
}

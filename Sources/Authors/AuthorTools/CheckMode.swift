// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import
import JSON
import Platform
import Registry
import TodayDaemon
import TodayModel

/// `today-author --check`: what is wrong with files, read as the instance would read them. It opens neither the database nor the
/// socket.
enum CheckMode {
    /// The exit status when a file is not valid, or a run has failed.
    static let failed: Int32 = 3

    static func run(_ options: CheckOptions, environment: [String: String]) throws -> Int32 {
        let instance = try DaemonInstance(options.instance.completed(in: environment), environment: environment)
        let checker = FileChecker(instance)
        var isValid = true
        for file in options.files {
            let path = DaemonInstance.clean(file)
            let finding = checker.check(path, scriptProtocol: options.scriptProtocol)
            var report = FileReport(path, finding)
            report.complaints += withheld(from: finding, instance)
            isValid = isValid && report.isValid
            try printLine(report.json)
        }
        return isValid ? 0 : failed
    }

    /// What the widget seems to need that its sandbox withholds.
    private static func withheld(from finding: FileChecker.Finding, _ instance: DaemonInstance) -> [Complaint] {
        guard let entry = finding.entry, let manifest = entry.described, manifest.sandbox.isClosed else { return [] }
        let program = manifest.update.command.first ?? "/"
        var files = ImportFiles(readingAs: geteuid(), environment: instance.environment)
        // The sandbox has the target of a linked program, without what lies beside it.
        files.resolved = { $0 == program ? $0 : Paths.resolved($0) }
        files.links = { $0 == program ? [] : Paths.linkTargets(of: $0) }
        let command = manifest.update.command.map { "\"\($0)\"" }.joined(separator: " ")
        let wishes = SandboxWishes(ofCommand: command, files)
        let home = files.variable("HOME") ?? "/nonexistent"
        // The program's directory is visible in the sandbox, unless it holds the home directory.
        let directories = [Paths.parent(of: program), manifest.update.workingDirectory].compactMap(\.self)
        let visible = [program] + directories.filter { !"\(home)/".hasPrefix("\($0)/") }
        return wishes.withheld(by: manifest.sandbox, home: home, visible: visible).map { reason in
            .warning(PlainText.line(entry.path), nil, "ExecStart= \(reason)")
        }
    }

    static func printLine(_ json: JSON) throws(UnwritableOutput) {
        if !Descriptor.writeAll(Array("\(json.text)\n".utf8), to: STDOUT_FILENO) { throw UnwritableOutput(code: errno) }
    }
}

/// Standard output cannot be written.
struct UnwritableOutput: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "cannot write to standard output: \(String(cString: strerror(code)))" }
}

extension DaemonOptions {
    /// Fills in places that the environment does not name: a tool needs no database, and its socket may be missing.
    func completed(in environment: [String: String]) -> DaemonOptions {
        var options = self
        options.stateDirectory = options.stateDirectory ?? "/nonexistent"
        let isSystem = instance.map { $0 == .system } ?? (getuid() == 0)
        if options.socket == nil, !isSystem, environment["XDG_RUNTIME_DIR"]?.hasPrefix("/") != true {
            options.socket = "/run/user/\(getuid())/todayd/todayd.sock"
        }
        return options
    }
}

extension DaemonInstance {
    /// The absolute path without empty components and `.`, so that the directory compares with those of the search path.
    static func clean(_ path: String) -> String {
        "/" + absolute(path).split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}

extension FileChecker {
    init(_ instance: DaemonInstance) {
        self.init(
            searchPath: instance.searchPath, locale: instance.locale, specifiers: instance.specifiers,
            programDirectories: ProgramPath.directories(in: instance.environment))
    }
}

extension FileReport {
    init(_ path: String, _ finding: FileChecker.Finding) {
        self.init(file: PlainText.line(path), kind: finding.kind)
        complaints = finding.complaints
        for index in complaints.indices { complaints[index].file = PlainText.line(complaints[index].file) }
        guard let entry = finding.entry else { return }
        widget = entry.id
        name = entry.displayName
        isMasked = entry.validity == .masked
        guard let update = entry.described?.update else { return }
        command = update.command.map { PlainText.line($0) }
        contentProtocol = update.contentProtocol.rawValue
        if !update.isPushed { (interval, timeout) = (update.interval, update.timeout) }
    }
}

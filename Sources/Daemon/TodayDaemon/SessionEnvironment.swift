// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import Runner
import Spawn
import TodayModel

/// The variables of the user's session, such as those of its windows. A desktop gives them to the user's service manager after that
/// one has started todayd, and again at the next login (systemctl(1), import-environment). The manager announces no change, so
/// todayd asks it while widgets run.
@LoopActor
final class SessionEnvironment {
    private(set) var variables: [String: String]
    /// Counts the changes of the variables.
    private(set) var revision = 0
    var onChange: @LoopActor () -> Void = {}
    /// Those of todayd itself, which count if the manager has none.
    private let own: [String: String]
    private let home: String?
    /// Nil if no service manager has started todayd: then its own variables are those of the terminal that did.
    private let plan: LaunchPlan?
    /// The values that todayd's own unit sets, which are to stay: they differ from the first answer of the manager.
    private var ofUnit: [String: String]?
    private var lastLook: BootTime?
    /// How many answers in a row were nothing new.
    private var unchanged = 0
    private var process: ChildProcess?

    /// The shortest pause between two questions. It doubles with each answer that is nothing new, up to sixteen times as long,
    /// because a start of systemctl takes about as long as that of a widget.
    private static let pause = TimeSpan.seconds(15)
    private static let mostBytes = 256 << 10

    init(_ environment: [String: String], isUsers: Bool) {
        own = isUsers ? environment.filter { RunEnvironment.session.contains($0.key) && !$0.value.isEmpty } : [:]
        variables = own
        home = environment["HOME"]
        guard isUsers, environment["NOTIFY_SOCKET"] != nil,
            let program = SpawnedProgram.find("systemctl", in: ProgramPath.value(in: environment))
        else {
            plan = nil
            return
        }
        var plan = LaunchPlan(
            executable: program, arguments: ["systemctl", "--user", "show-environment"],
            environment: environment.filter { $0.key == "XDG_RUNTIME_DIR" || $0.key == "DBUS_SESSION_BUS_ADDRESS" })
        plan.standardOutput = .pipe
        plan.parentDeathSignal = SIGTERM
        self.plan = plan
    }

    var isIdle: Bool { process == nil }

    /// Asks the manager, unless it was asked a moment ago or has not answered yet.
    ///
    /// - Parameter isWanted: whether a widget has failed, which may need a new session.
    func refresh(at now: BootTime, isWanted: Bool) {
        let pause = isWanted ? Self.pause : Self.pause * (1 << min(unchanged, 4))
        guard let plan, process == nil, lastLook.map({ now - $0 >= pause }) ?? true else { return }
        lastLook = now
        var bytes: [UInt8] = []
        var reader: PipeReader?
        process = try? ChildProcess.launch(plan) { [weak self] status in
            reader?.drain()
            reader = nil
            self?.process = nil
            self?.take(status == .exited(0) ? Self.read(bytes) : nil)
        }
        guard let output = process?.takeOutput() else { return }
        reader = PipeReader(output) {
            if bytes.count < Self.mostBytes { bytes += $0 }
        } onEnd: {
        }
        try? reader?.watch()
    }

    /// - Parameter answer: nil if the manager gives none.
    func take(_ answer: [String: String]?) {
        guard var answer else { return unchanged += 1 }
        if let path = answer["PATH"] { answer["PATH"] = ProgramPath.ofUser(in: ["PATH": path, "HOME": home ?? ""]) }
        let ofUnit = ofUnit ?? own.filter { name, value in answer[name].map { $0 != value } ?? false }
        self.ofUnit = ofUnit
        let new = own.merging(answer) { $1 }.merging(ofUnit) { $1 }
        unchanged = new == variables ? unchanged + 1 : 0
        guard new != variables else { return }
        variables = new
        revision += 1
        onChange()
    }

    /// The variables of a session in what systemctl prints, a `NAME=VALUE` in each line. A value that a shell would have to quote,
    /// `$'…'`, is none of these.
    static func read(_ bytes: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let (name, value) = (String(line[..<equals]), String(line[line.index(after: equals)...]))
            if RunEnvironment.session.contains(name), !value.isEmpty, !value.hasPrefix("$'") { variables[name] = value }
        }
        return variables
    }
}

// SPDX-License-Identifier: MIT
import Glibc
import Platform
import QueryService
import Reactor
import Spawn
import TodayModel

/// Asks polkit(8) by pkcheck(1), one process for each question. So todayd needs no connection to the bus, and a question that
/// the user does not answer ends with its process.
@LoopActor
final class Polkit {
    /// One user's clients must neither keep others from asking nor fill the machine with processes.
    static let mostOfUser = 4
    static let most = 32

    private let program: String
    private let environment: [String: String]
    private var questions: [UInt64: (uid: UInt32, process: ChildProcess)] = [:]
    private var lastQuestion: UInt64 = 0

    /// Nil if pkcheck is not installed.
    init?(environment: [String: String]) {
        guard let program = SpawnedProgram.find("pkcheck", in: ProgramPath.value(in: environment)) else { return nil }
        self.program = program
        self.environment = environment.filter { $0.key == "DBUS_SYSTEM_BUS_ADDRESS" }
    }

    /// - Returns: a function that withdraws the question.
    func ask(
        _ question: PolicyQuestion, then: @escaping @LoopActor (PolicyAnswer) -> Void
    ) -> @LoopActor () -> Void {
        let ofUser = questions.values.count { $0.uid == question.peer.uid }
        guard ofUser < Self.mostOfUser, questions.count < Self.most else { return answer(.busy, then) }
        guard let start = ProcessTree.startTicks(of: question.peer.pid, seen: question.peer.seen) else {
            return answer(.denied, then)
        }
        var plan = LaunchPlan(
            executable: program, arguments: Self.arguments(question, start: start), environment: environment)
        plan.parentDeathSignal = SIGTERM
        lastQuestion += 1
        let number = lastQuestion
        do throws(SpawnError) {
            let process = try ChildProcess.launch(plan) { [weak self] status in
                self?.questions[number] = nil
                then(Self.answer(to: status))
            }
            questions[number] = (question.peer.uid, process)
            return { process.send(SIGTERM) }
        } catch {
            return answer(.denied, then)
        }
    }

    /// Takes all questions back.
    func stop() { for question in questions.values { question.process.send(SIGTERM) } }

    private func answer(
        _ answer: PolicyAnswer, _ then: @escaping @LoopActor (PolicyAnswer) -> Void
    ) -> @LoopActor () -> Void {
        EventLoop.shared.post { then(answer) }
        return {}
    }

    /// The process with its start and its user, which let polkit recognize another process with the same number.
    static func arguments(_ question: PolicyQuestion, start: Int64) -> [String] {
        [
            "pkcheck", "--action-id", question.action.rawValue, "--process",
            "\(question.peer.pid),\(start),\(question.peer.uid)",
        ]
            + (question.isInteractive ? ["--allow-user-interaction"] : [])
    }

    /// pkcheck(1), "Return value".
    static func answer(to status: ExitStatus) -> PolicyAnswer {
        switch status {
        case .exited(0): .allowed
        case .exited(2): .needsInteraction
        default: .denied
        }
    }
}

// SPDX-License-Identifier: MIT

import Platform
import TodayModel

/// The programs that do what clicks in a bar ask for: todayctl itself, so that the bar waits for none of them.
struct BarClicks {
    /// How many may be at work: a terminal stays until it is closed, and a mouse can click a thousand times a second.
    static let most = 8

    private let options: [String]
    private var running: [SpawnedProgram] = []

    /// - Parameter options: those that choose the daemon.
    init(options: [String]) { self.options = options }

    /// - Parameter deed: nil tells the widget's program of the click.
    /// - Returns: why it is not done; nil where it has begun.
    mutating func start(_ deed: ClickDeed?, button: Int, of id: WidgetID) -> String? {
        reap()
        guard running.count < Self.most else { return "a click is lost: \(Self.most) are still at work" }
        let what = deed.map { ["--do", $0.rawValue] } ?? []
        // proc_pid_exe(5): this program, also where its file has been replaced.
        var plan = SpawnedProgram.Plan(
            "/proc/self/exe", options + ["--quiet", "click"] + what + ["--", id.text, "\(button)"])
        // Standard output is the bar's.
        plan.output = .descriptor(2)
        plan.hasOwnSession = true
        do throws(SpawnedProgram.Failure) {
            running.append(try SpawnedProgram(plan))
            return nil
        } catch {
            return "a click is lost: \(error)"
        }
    }

    /// Waits for none of them: a terminal that a click has opened may stay for hours.
    mutating func abandon() {
        for program in running { program.abandon() }
        running = []
    }

    /// Forgets those that have ended.
    mutating func reap() { running.removeAll { $0.endingNow() != nil } }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import TodayDaemon

@Suite struct ResidentProcessesTests {
    @Test func theNewestProcessDecidesForItsWidget() {
        var processes = ResidentProcesses()
        var answers = [processes.acceptMode(from: 7)]
        processes.began(7)
        answers.append(processes.acceptMode(from: 7))
        #expect(answers == [false, true])
        processes.began(9)
        // The old process chooses a mode late, and ends.
        answers = [processes.acceptMode(from: 7), processes.ended(7)]
        #expect(answers == [false, false])
        answers = [
            processes.acceptMode(from: 9), processes.ended(9), processes.ended(9),
        ]
        #expect(answers == [true, true, false])
    }

    /// Processes get their numbers in the order in which they start.
    @Test func anOlderProcessThatBeginsLateIsNotTheNewest() {
        var processes = ResidentProcesses()
        processes.began(9)
        processes.began(7)
        let answers = [processes.acceptMode(from: 7), processes.acceptMode(from: 9)]
        #expect(answers == [false, true])
    }

    /// A second beginning of the same context does not undo the choice.
    @Test func aProcessBeginsOnce() {
        var processes = ResidentProcesses()
        #expect(!processes.isRunning)
        processes.began(1)
        #expect(processes.isRunning)
        var answers = [processes.acceptMode(from: 1)]
        processes.began(1)
        answers += [processes.noteRunEnded(), processes.ended(1)]
        #expect(answers == [true, false, true])
        #expect(!processes.isRunning)
    }

    @Test func aFirstRunWithoutAChoiceDecidesOnce() {
        var processes = ResidentProcesses()
        var answers = [processes.noteRunEnded()]
        processes.began(1)
        answers += [processes.noteRunEnded(), processes.noteRunEnded()]
        #expect(answers == [false, true, false])
        processes.began(2)
        answers = [processes.acceptMode(from: 2), processes.noteRunEnded()]
        #expect(answers == [true, false])
    }

    /// A newer process was not told to edit.
    @Test(arguments: [true, false]) func editingIsOfTheProcessThatWasToldOfIt(itEnds: Bool) {
        var processes = ResidentProcesses()
        processes.began(1)
        processes.beganEditing()
        #expect(processes.isEdited(1))
        processes.began(2)
        #expect(!processes.isEdited(2))
        let wasNewest = processes.ended(itEnds ? 1 : 2)
        #expect(wasNewest == !itEnds)
        #expect(processes.isEdited(1) == !itEnds)
    }
}

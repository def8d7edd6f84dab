// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct NewestProcessesTests {
    @Test func theNewestProcessDecidesForItsWidget() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let processes = NewestProcesses()
        var answers = [processes.acceptMode(from: 7, of: widget)]
        processes.began(7, of: widget)
        answers.append(processes.acceptMode(from: 7, of: widget))
        #expect(answers == [false, true])
        processes.began(9, of: widget)
        // The old process chooses a mode late, and ends.
        answers = [processes.acceptMode(from: 7, of: widget), processes.ended(7, of: widget)]
        #expect(answers == [false, false])
        answers = [
            processes.acceptMode(from: 9, of: widget), processes.ended(9, of: widget), processes.ended(9, of: widget),
        ]
        #expect(answers == [true, true, false])
    }

    /// Processes get their numbers in the order in which they start.
    @Test func anOlderProcessThatBeginsLateIsNotTheNewest() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let processes = NewestProcesses()
        processes.began(9, of: widget)
        processes.began(7, of: widget)
        let answers = [processes.acceptMode(from: 7, of: widget), processes.acceptMode(from: 9, of: widget)]
        #expect(answers == [false, true])
    }

    /// A second beginning of the same context does not undo the choice.
    @Test func aProcessBeginsOnce() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let processes = NewestProcesses()
        #expect(!processes.isRunning(widget))
        processes.began(1, of: widget)
        #expect(processes.isRunning(widget))
        var answers = [processes.acceptMode(from: 1, of: widget)]
        processes.began(1, of: widget)
        answers += [processes.noteRunEnded(of: widget), processes.ended(1, of: widget)]
        #expect(answers == [true, false, true])
        #expect(!processes.isRunning(widget))
    }

    @Test func aFirstRunWithoutAChoiceDecidesOnce() throws {
        let widget = try #require(WidgetID("org.test.a"))
        let processes = NewestProcesses()
        var answers = [processes.noteRunEnded(of: widget)]
        processes.began(1, of: widget)
        answers += [processes.noteRunEnded(of: widget), processes.noteRunEnded(of: widget)]
        #expect(answers == [false, true, false])
        processes.began(2, of: widget)
        answers = [processes.acceptMode(from: 2, of: widget), processes.noteRunEnded(of: widget)]
        #expect(answers == [true, false])
    }

    /// A newer process was not told to edit.
    @Test(arguments: [true, false]) func editingIsOfTheProcessThatWasToldOfIt(itEnds: Bool) throws {
        let widget = try #require(WidgetID("org.test.a"))
        let processes = NewestProcesses()
        processes.began(1, of: widget)
        processes.beganEditing(widget)
        #expect(processes.isEdited(1, of: widget))
        processes.began(2, of: widget)
        #expect(!processes.isEdited(2, of: widget))
        let wasNewest = processes.ended(itEnds ? 1 : 2, of: widget)
        #expect(wasNewest == !itEnds)
        #expect(processes.isEdited(1, of: widget) == !itEnds)
    }
}

// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Scheduler

/// Changed defaults run those who share them, and never without end.
@Suite struct TimetableDefaultsTests {
    private typealias Start = Simulation.Start

    /// With the first run over.
    private func simulation() -> Simulation {
        var simulation = Simulation()
        simulation.add("a", every: .hours(1))
        simulation.pass(.seconds(10))
        return simulation
    }

    @Test func theFirstChangeRunsItAtOnce() {
        var simulation = simulation()
        simulation.defaultsChanged("a", by: "b")
        #expect(simulation.log.last == Start(seconds: 10, widget: "org.test.a", reason: .defaults))
    }

    @Test func manyChangesRunItOnceASecondAndTheLastOneCounts() {
        var simulation = simulation()
        for _ in 0..<100 {
            simulation.defaultsChanged("a")
            simulation.pass(.milliseconds(50))
        }
        let inTime = simulation.log.dropFirst().count
        #expect((5...6).contains(inTime), "\(simulation.log)")
        let last = simulation.now.boot
        simulation.defaultsChanged("a")
        simulation.pass(.seconds(30))
        #expect((simulation.starts.last?.at).map { $0 >= last } == true)
        #expect(simulation.log.dropFirst().count == inTime + 1)
    }

    @Test func whatItChangesItselfWhileItUpdatesIsNoNewsToIt() {
        var simulation = simulation()
        simulation.duration = nil
        _ = simulation.request("a")
        simulation.defaultsChanged("a", by: "a")
        simulation.finish(simulation.tickets[1])
        #expect(simulation.log.map(\.reason) == [.boot, .request])
    }

    @Test func whatItsButtonChangesIsUpdatedAfterIt() {
        var simulation = simulation()
        simulation.duration = nil
        _ = simulation.request("a", errand: .action("x"))
        simulation.defaultsChanged("a", by: "a")
        simulation.finish(simulation.tickets[1])
        #expect(simulation.log.map(\.reason) == [.boot, .action, .defaults])
    }

    @Test func twoThatAnswerEachOtherRunOnceASecond() {
        var simulation = simulation()
        simulation.add("b", every: .hours(1))
        simulation.pass(.seconds(10))
        simulation.defaultsChanged("a")
        var seen = simulation.starts.count - 1
        for _ in 0..<1_000 {
            simulation.pass(.milliseconds(20))
            let news = simulation.tickets[seen...]
            seen += news.count
            for ticket in news {
                simulation.defaultsChanged(ticket.widget == id("a") ? "b" : "a", by: ticket.widget.text)
            }
        }
        #expect((30...45).contains(simulation.starts.count), "\(simulation.starts.count) in 20 s")
    }

    @Test func aChangeDuringSuchARunIsReadASecondAfterItsStart() {
        var simulation = simulation()
        simulation.duration = nil
        simulation.defaultsChanged("a")
        simulation.defaultsChanged("a")
        #expect(simulation.log.count == 2)
        simulation.finish(simulation.tickets[1])
        simulation.duration = .milliseconds(100)
        simulation.pass(.seconds(5))
        #expect(simulation.log.dropFirst(2).map(\.seconds) == [11])
        #expect(simulation.log.last?.reason == .defaults)
    }

    @Test func aHiddenOneStaysHidden() {
        var simulation = Simulation()
        simulation.add("a", obstacle: "hidden")
        simulation.defaultsChanged("a")
        simulation.pass(.minutes(1))
        #expect(simulation.log.isEmpty)
    }
}

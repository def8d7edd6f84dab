// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// The history of a widget's numbers, and the charts that show it.
@Suite struct WidgetHistoryTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static func content(_ percentage: Double, chart: String = "percentage") -> Content {
        var content = Content(text: "\(percentage)")
        content.percentage = percentage
        content.compact = .chart(View.Chart(history: chart))
        return content
    }

    @LoopActor private func points(_ machine: SimulatedMachine) throws -> [Double]? {
        guard case .chart(let chart)? = try machine.item(widget())?.content?.compact else { return nil }
        #expect(chart.history == nil)
        return chart.points
    }

    @LoopActor private func update(_ machine: SimulatedMachine, _ result: RunOutcome.Result) async throws {
        await machine.pass(.seconds(2))
        try await update(machine)
        try await finish(machine, result)
    }

    @Test @LoopActor func aChartHasThePointsOfItsHistory() async throws {
        let machine = try await machine(answers: .newData(Self.content(1)))
        #expect(try points(machine) == [1])
        #expect(try machine.daemon.store.numbers(of: widget()).names == ["percentage"])
        try await update(machine, .newData(Self.content(2)))
        #expect(try points(machine) == [1, 2])
        // The stored content names the history, so that the same answer is the same content.
        #expect(try machine.daemon.store.layers(of: widget()).own?.content == Self.content(2))
        try await update(machine, .failed("no"))
        try await update(machine, .noData)
        #expect(try points(machine) == [1, 2])
        try await update(machine, .newData(Self.content(3)))
        try await crash(machine)
        #expect(try points(machine) == [1, 2, 3])
    }

    @Test @LoopActor func aChartOfAnUnknownNumberIsEmpty() async throws {
        let machine = try await machine(answers: .newData(Self.content(1, chart: "load9")))
        #expect(try points(machine) == [])
        let item = try machine.item(widget())
        guard case .chart(let chart)? = item?.content?.compact else { return }
        #expect(chart.label == "load9" && item?.failure == nil)
    }

    @Test @LoopActor func pushedContentHasTheSameHistory() async throws {
        let machine = try await machine()
        for value in [1.0, 2, 3] {
            await machine.pass(.seconds(1))
            await machine.change(
                .push(try widget(), Layers.Pushed(Self.content(value), taken: machine.now.wall)))
        }
        #expect(try points(machine) == [1, 2, 3])
    }

    /// The clock is set back by a year: the values go on in the order in which they come.
    @Test @LoopActor func theOrderIsThatOfTheUpdates() async throws {
        let machine = try await machine(answers: .newData(Self.content(1)))
        await machine.setClock(by: TimeSpan.zero - .days(365))
        try await update(machine, .newData(Self.content(2)))
        await machine.setClock(by: .days(800))
        try await update(machine, .newData(Self.content(3)))
        #expect(try points(machine) == [1, 2, 3])
        try await crash(machine)
        #expect(try points(machine) == [1, 2, 3])
    }
}

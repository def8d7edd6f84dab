// SPDX-License-Identifier: MIT
import FleetProtocol
import Glibc
import Testing

/// The protocol through many schedules: never two results within an interval, no revision shown after a later one, and after
/// the faults all show the last one.
struct FleetSimulationTests {
    /// `TODAY_FLEET_SCHEDULES=100000` runs as many.
    private static var count: UInt64 {
        getenv("TODAY_FLEET_SCHEDULES").flatMap { UInt64(String(cString: $0)) } ?? 300
    }

    @Test func noScheduleBreaksTheProtocol() {
        var (accepted, runs) = (0, 0)
        for seed in 1...Self.count {
            var simulation = FleetSimulation(seed: seed, members: 2 + Int(seed % 4))
            simulation.run()
            if let complaint = simulation.complaint {
                Issue.record("schedule \(seed): \(complaint)")
                return
            }
            accepted += simulation.accepted.count
            runs += simulation.runs
        }
        #expect(accepted > 5 * Int(Self.count))
        // Few runs are for nothing.
        #expect(runs < accepted * 3 / 2)
    }

    @Test(arguments: FleetSimulation.Flaw.allCases)
    func theCheckerSeesAFlaw(_ flaw: FleetSimulation.Flaw) {
        let isSeen = (1...200 as ClosedRange<UInt64>).contains { seed in
            var simulation = FleetSimulation(seed: seed, members: 4, flaw: flaw)
            simulation.run()
            return simulation.complaint != nil
        }
        #expect(isSeen, "\(flaw)")
    }
}

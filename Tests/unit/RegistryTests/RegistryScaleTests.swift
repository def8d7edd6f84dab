// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

@Suite struct RegistryScaleTests {
    init() { TestLoop.start() }

    @Test @LoopActor func tenThousandManifestsAreReadOnceAndWatchedAsOne() async throws {
        let directory = TemporaryDirectory()
        try await Self.fill(directory)
        let registry = try Registry(searchPath: SearchPath(widgetDirectories: [directory("widgets")]))
        let changes = Arrivals<Int>("change")
        registry.onReport = { if case .widgets(let all) = $0 { changes.send(all.count) } }
        let clock = ContinuousClock()
        // The time of the processor, as other processes may have it meanwhile.
        let started = Glibc.clock()
        let load = clock.measure { registry.reload() }
        let spent = Glibc.clock() - started
        #expect(try await changes.next() == 10_000)
        let again = clock.measure { registry.reload() }
        #expect(changes.taken().isEmpty)
        print("10,000 manifests: read in \(load), again in \(again)")
        #expect(spent < 10 * CLOCKS_PER_SEC)
        try directory.write("[Update]\nProtocol=push\n", to: "widgets/org.example.w77.widget")
        #expect(try await changes.next() == 1)
        withExtendedLifetime(registry) {}
    }

    /// Not on the loop, which serves other tests meanwhile.
    private nonisolated static func fill(_ directory: TemporaryDirectory) async throws {
        try directory.script("#!/bin/sh\n", to: "widgets/program")
        for number in 0..<10_000 {
            try directory.write(
                """
                [Widget]
                DisplayName=Widget number \(number)
                DisplayName[de]=Widget Nummer \(number)
                Description=One of many
                ExtensionPoint=today status-bar
                LargestDisplayMode=expanded

                [Update]
                ExecStart=./program --number \(number) "and text"
                Protocol=json
                Interval=5min
                Timeout=10s

                [Limits]
                MemoryMax=64M

                """, to: "widgets/org.example.w\(number).widget")
        }
    }
}

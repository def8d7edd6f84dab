// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

/// What a monitor learns of widgets.
@Suite struct NagiosFormTests {
    private func item(
        _ id: String = "org.a.b", _ state: WidgetState = .ready, _ severity: Severity? = .normal, stale: Bool = false,
        _ change: (inout Item) -> Void = { _ in }
    ) throws -> Item {
        try Samples.item(
            id, "B", state: state, mode: .compact, age: .minutes(12), content: severity.map { _ in Content(text: "x") }
        ) {
            if let severity { $0.content?.severity = severity }
            $0.stale = stale
            change(&$0)
        }
    }

    private static let statuses: [(WidgetState, Severity?, Bool, NagiosForm.Status)] = [
        (.ready, .normal, false, .ok), (.ready, .good, false, .ok), (.ready, .info, false, .ok),
        (.ready, .warning, false, .warning), (.ready, .critical, false, .critical), (.ready, .normal, true, .warning),
        (.ready, .critical, true, .critical), (.failing, .normal, false, .unknown), (.failing, .good, true, .warning),
        (.failing, .warning, false, .warning), (.failing, .critical, false, .critical),
        (.failing, nil, false, .unknown),
        (.waiting, nil, false, .unknown), (.invalid, nil, false, .unknown), (.invalid, .normal, false, .unknown),
        (.empty, .normal, false, .ok), (.hidden, .critical, true, .ok), (.disabled, .normal, false, .unknown),
        (.masked, .critical, false, .unknown),
    ]

    @Test(arguments: statuses.indices) func aWidgetHasAStatus(index: Int) throws {
        let (state, severity, stale, status) = Self.statuses[index]
        #expect(NagiosForm.status(of: try item("org.a.b", state, severity, stale: stale)) == status)
    }

    @Test func aPlaceholderIsNoAnswer() throws {
        let first = try item("org.a.b", .waiting, .normal) { ($0.source, $0.taken) = (.placeholder, nil) }
        #expect(NagiosForm.status(of: first) == .unknown)
        #expect(NagiosForm.status(of: try item("org.a.b", .waiting, .normal) { $0.source = .own }) == .ok)
    }

    private static let worst: [([NagiosForm.Status], NagiosForm.Status)] = [
        ([.ok, .unknown], .unknown), ([.unknown, .warning], .warning), ([.warning, .critical, .unknown], .critical),
        ([.ok, .ok], .ok), ([.critical, .ok], .critical),
    ]

    @Test(arguments: worst.indices) func theWorstCounts(index: Int) {
        let (all, status) = Self.worst[index]
        #expect(NagiosForm.Status.worst(all) == status && NagiosForm.Status.worst(all.reversed()) == status)
    }

    @Test func statusesAreThoseOfPlugins() {
        let all: [NagiosForm.Status] = [.ok, .warning, .critical, .unknown]
        #expect(all.map(\.rawValue) == [0, 1, 2, 3])
        #expect(all.map(\.word) == ["OK", "WARNING", "CRITICAL", "UNKNOWN"])
    }

    private func read(_ items: [Item]) throws -> NagiosReader { try NagiosReader(OutputFormTests.text(.nagios, items)) }

    @Test func oneWidgetIsOneLine() throws {
        let one = try read([try item("org.a.b", .ready, .warning) { $0.content?.percentage = 62.5 }])
        #expect(one.first == "WARNING: B: x" && one.rest.isEmpty)
        #expect(one.values == ["percentage": "62.5%;;;0;100", "age": "720s"])
        #expect(try read([try item("org.a.b", .waiting, nil) { $0.taken = nil }]).first == "UNKNOWN: B: (waiting)")
        #expect(try read([try item("org.a.b", .hidden)]).first == "OK: B: (hidden, 12 min)")
        let failing = try item("org.a.b", .failing) { $0.failure = "exited | with\nstatus 1" }
        #expect(try read([failing]).first == "UNKNOWN: B: x (failing, 12 min) exited ¦ with status 1")
    }

    @Test func twoWidgetsHaveALineEach() throws {
        #expect(try read([try item(), try item("org.a.c")]).rest.count == 2)
    }

    /// A monitor keeps one of two values with the same label.
    @Test func aLabelIsThereOnce() throws {
        let metrics = ["percentage", "age", "load"].compactMap { Metric($0, 7) }
        let both = try item("org.a.b") {
            $0.content?.percentage = 62.5
            $0.content?.metrics = metrics
        }
        #expect(try read([both]).values == ["percentage": "62.5%;;;0;100", "age": "720s", "load": "7"])
        let alone = try item("org.a.b") {
            $0.content?.metrics = metrics
            $0.taken = nil
        }
        #expect(try read([alone]).values == ["percentage": "7", "age": "7", "load": "7"])
        #expect(OutputFormTests.text(.nagios, [both]).split(separator: "'age'=").count == 2)
    }

    @Test func ofSeveralTheWorstComeFirst() throws {
        let items = [
            try item("org.a.one"), try item("org.a.two", .ready, .critical),
            try item("org.a.three", .failing) { $0.name = "C" }, try item("org.a.four", .ready, .critical),
        ]
        let several = try read(items)
        #expect(several.first == "CRITICAL: B: x; B: x")
        #expect(
            several.rest == [
                "[OK] B: x", "[CRITICAL] B: x", "[UNKNOWN] C: x (failing, 12 min)", "[CRITICAL] B: x",
            ])
        #expect(several.values["org.a.three age"] == "720s" && several.values.count == 4)
        #expect(try read([items[0], try item("org.a.other")]).first == "OK: 2 widgets")
    }

    @Test func labelsAndNumbersAreThoseOfTheFormat() throws {
        let odd = try item {
            let metrics: [Metric?] = [
                Metric("it's = a|b", 0.25), Metric("tiny", 1e-7), Metric("small", -2.5e-5), Metric("large", 1e15),
                Metric("huge", 1e300), Metric("whole", -3),
            ]
            $0.content?.metrics = metrics.compactMap { $0 }
        }
        let values = try read([odd]).values
        #expect(values["it's : a¦b"] == "0.25" && values["tiny"] == "0.000000" && values["small"] == "-0.000025")
        #expect(values["large"] == "1000000000000000" && values["huge"] == "U" && values["whole"] == "-3")
    }
}

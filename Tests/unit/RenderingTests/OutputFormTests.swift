// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel

@testable import Rendering

/// Each form, with widgets whose texts and states are as nasty as can be.
@Suite struct OutputFormTests {
    private static let presentation = Samples.presentation(60)

    static func text(_ form: OutputForm, _ items: [Item], _ presentation: Presentation = Self.presentation) -> String {
        let json = JSON.object(["items": .array(items.map(\.json))]).pretty
        return form.text(of: Shown(items, json: json), presentation)
    }

    @Test(arguments: OutputForm.allCases) func aFormIsAsInItsGoldenFile(form: OutputForm) throws {
        try expectGolden("form-\(form.rawValue)", Self.text(form, try FormSamples.all()))
    }

    @Test(arguments: OutputForm.allCases) func aFormHasNothingThatATerminalObeys(form: OutputForm) throws {
        let text = Self.text(form, try FormSamples.all())
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isDisplayControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) || scalar.value == 0x202e
            #expect(!isDisplayControl, "U+\(String(scalar.value, radix: 16)) in \(form)")
        }
    }

    @Test(arguments: OutputForm.allCases) func aFormForProgramsIsTheSameInEveryTerminal(form: OutputForm) throws {
        let items = try FormSamples.all()
        let other = Samples.presentation(60, .ascii, .direct)
        let isForPeople = form == .terminal || form == .plain
        #expect((Self.text(form, items) == Self.text(form, items, other)) == !isForPeople)
        #expect(!Self.text(.plain, items, other).contains("\u{1B}"))
        #expect(Self.text(.terminal, items, other).contains("\u{1B}["))
    }

    /// Each form says of a widget that it is stale or failing, and how old it is. Prometheus has both as numbers.
    @Test(arguments: OutputForm.allCases) func whatIsNotFreshIsVisible(form: OutputForm) throws {
        let fresh = try Samples.item("org.a.b", "B", mode: .compact, age: .minutes(12), content: Content(text: "fine"))
        var stale = fresh
        stale.stale = true
        var failing = fresh
        failing.state = .failing
        for (item, mark) in [(stale, "stale, 12 min"), (failing, "failing, 12 min")] {
            let text = Self.text(form, [item])
            switch form {
            case .json: #expect(item == stale ? text.contains("\"stale\": true") : text.contains("\"failing\""))
            case .prometheus:
                let read = try PrometheusReader(text)
                #expect(read.values("today_widget_stale", widget: "org.a.b") == [item == stale ? 1 : 0])
                #expect(read.values("today_widget_failing", widget: "org.a.b") == [item == stale ? 0 : 1])
                #expect(read.values("today_widget_age_seconds", widget: "org.a.b") == [720])
            case .html, .terminal, .plain: #expect(text.contains(mark.replacing(", ", with: " · ")), "\(text)")
            default: #expect(text.contains(mark), "\(form): \(text)")
            }
            #expect(text != Self.text(form, [fresh]))
        }
        #expect(!Self.text(form, [fresh]).contains("(12 min"))
    }

    private static let colors: [(WidgetState, Bool, Severity, String?, String?)] = [
        (.ready, false, .normal, nil, nil), (.ready, false, .good, nil, "good"),
        (.ready, false, .warning, "#010203", "#010203"), (.ready, true, .normal, "#010203", "secondary"),
        (.ready, true, .good, nil, "secondary"), (.ready, true, .warning, nil, "warning"),
        (.ready, true, .critical, "#010203", "#010203"), (.failing, false, .good, "#010203", "critical"),
        (.failing, true, .normal, nil, "critical"), (.invalid, false, .warning, nil, "critical"),
        (.hidden, true, .critical, nil, nil),
    ]

    /// What is not fresh has a colour in any case, and none that says that all is well.
    @Test(arguments: colors.indices) func whatIsNotFreshHasAColour(index: Int) throws {
        let (state, stale, severity, own, expected) = Self.colors[index]
        let item = try Samples.item("org.a.b", "B", state: state, mode: .compact, content: Content(text: "fine")) {
            $0.stale = stale
            $0.content?.severity = severity
            $0.content?.color = own.flatMap { Color($0) }
        }
        #expect(BarSegment(item, Self.presentation).color?.text == expected)
    }

    @Test(arguments: OutputForm.allCases) func noWidgetsAreNoMistake(form: OutputForm) throws {
        let text = Self.text(form, [])
        let expected: [OutputForm: String] = [
            .waybar: "", .i3bar: "[]\n", .i3blocks: "", .polybar: "\n", .tmux: "\n", .prometheus: "",
            .genmon: "<txt></txt>\n<tool></tool>\n", .yambar: "text|string|\n\n",
            .nagios: "UNKNOWN: no widget is shown\n",
        ]
        if let expected = expected[form] { #expect(text == expected) }
        if form == .svg || form == .html { _ = try MarkupReader(text) }
        if form == .plain || form == .terminal { #expect(text.hasPrefix("Nothing to show.")) }
    }

    @Test func exitStatusesAreThoseOfTheReaders() throws {
        func status(_ form: OutputForm, _ items: [Item]) -> Int32 {
            form.exitStatus(of: Shown(items, json: ""), Self.presentation)
        }
        func item(_ severity: Severity, _ state: WidgetState = .ready) throws -> Item {
            try Samples.item("org.a.b", "B", state: state, mode: .compact, content: Content(text: "x")) {
                $0.content?.severity = severity
            }
        }
        let all = try FormSamples.all()
        for form in OutputForm.allCases where form != .nagios && form != .i3blocks { #expect(status(form, all) == 0) }
        #expect(status(.i3blocks, all) == 33 && status(.nagios, all) == 2)
        #expect(status(.i3blocks, [try item(.warning)]) == 0 && status(.i3blocks, []) == 0)
        #expect(status(.i3blocks, [try item(.warning), try item(.critical)]) == 33)
        #expect(status(.i3blocks, [try item(.critical, .hidden)]) == 0)
    }

    @Test func errorsAreForTheReaderOfTheForm() {
        for form in OutputForm.allCases where form != .nagios { #expect(form.report(of: "x") == nil) }
        let report = OutputForm.nagios.report(of: "no widget 'a|b'\nnext")
        #expect(report?.text == "UNKNOWN: no widget 'a¦b' next\n" && report?.status == 3)
    }
}

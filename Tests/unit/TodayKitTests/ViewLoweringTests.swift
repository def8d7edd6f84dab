// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// The JSON of docs/content.md that each view becomes.
@MainActor @Suite struct ViewLoweringTests {
    typealias View = TodayKit.View

    private func json(_ view: some View, _ mode: NCWidgetDisplayMode = .compact) -> String {
        view.loweredToOne(Inherited(mode: mode))?.json.text ?? "nothing"
    }

    private func json(
        _ mode: NCWidgetDisplayMode = .compact, @ViewBuilder _ view: () -> some View
    ) -> String { json(view(), mode) }

    private enum Action: String { case refresh }

    @Test func everyViewHasItsType() {
        let table: [(any View, String)] = [
            (Text("a"), #"{"type":"text","text":"a"}"#),
            (ProgressView(value: 1, total: 4), #"{"type":"progress","value":0.25}"#),
            (ProgressView("/", value: 0.5), #"{"type":"progress","value":0.5,"label":"/"}"#),
            (ProgressView(value: 0.5, currentValueLabel: "50.0%"), #"{"type":"progress","value":0.5,"text":"50.0%"}"#),
            (ProgressView(value: 1.0000001), #"{"type":"progress","value":1.0}"#),
            (ProgressView(value: -3), #"{"type":"progress","value":0.0}"#),
            (LineChart(points: [1, 2]), #"{"type":"chart","points":[1.0,2.0]}"#),
            (
                LineChart("x", points: [1], range: 0...9, baseline: 5),
                #"{"type":"chart","points":[1.0],"label":"x","min":0.0,"max":9.0,"baseline":5.0}"#
            ),
            (
                LineChart("x", history: "load1", range: 0...9, baseline: 5),
                #"{"type":"chart","history":"load1","label":"x","min":0.0,"max":9.0,"baseline":5.0}"#
            ),
            (
                LineChart(history: "load1", last: 60), #"{"type":"chart","history":"load1","last":60}"#
            ),
            (Image(symbol: "weather-clear"), #"{"type":"image","symbol":"weather-clear"}"#),
            (
                Image(png: [0x89, 0x50, 0x4e, 0x47], label: "dot"),
                #"{"type":"image","png":"iVBORw==","label":"dot"}"#
            ),
            (Button("Go", action: "go"), #"{"type":"button","title":"Go","action":"go"}"#),
            (Button("Go", action: Action.refresh), #"{"type":"button","title":"Go","action":"refresh"}"#),
            (Link("App", destination: "app://x"), #"{"type":"link","title":"App","url":"app://x"}"#),
            (HStack { Text("a") }, #"{"type":"hstack","children":[{"type":"text","text":"a"}]}"#),
            (VStack { Text("a") }, #"{"type":"vstack","children":[{"type":"text","text":"a"}]}"#),
            (Grid(columns: 2) { Spacer() }, #"{"type":"grid","columns":2,"children":[{"type":"spacer"}]}"#),
            (Divider(), #"{"type":"divider"}"#),
            (
                DisclosureGroup("t") { Text("a") },
                #"{"type":"item","title":"t","children":[{"type":"text","text":"a"}]}"#
            ),
            (
                TapArea(action: "go") { Text("a") },
                #"{"type":"vstack","children":[{"type":"text","text":"a"}],"action":"go"}"#
            ),
            (EmptyView(), "nothing"),
        ]
        for (view, expected) in table { #expect(json(view) == expected) }
    }

    @Test func modifiersReachTheTextsBelowThem() {
        let text = json {
            VStack {
                Text("a")
                Text("b").foregroundColor(.critical)
            }
            .font(.caption).bold().foregroundColor(.secondary).multilineTextAlignment(.trailing).lineLimit(2)
        }
        let common = #""style":"caption","weight":"bold","align":"trailing""#
        #expect(
            text
                == #"{"type":"vstack","children":[{"type":"text","text":"a",\#(common),"color":"secondary","lines":2},"#
                + #"{"type":"text","text":"b",\#(common),"color":"critical","lines":2}]}"#)
    }

    @Test func barsAndChartsHaveTheirColours() {
        #expect(
            json(ProgressView(value: 0.5).tint(.good).trackTint(Color(red: 0.17, green: 0.49, blue: 2)))
                == ##"{"type":"progress","value":0.5,"color":"good","track":"#2b7dff"}"##)
        #expect(
            json(LineChart(points: [1]).tint(.accent)) == #"{"type":"chart","points":[1.0],"color":"accent"}"#)
    }

    @Test func paddingAndTapsMakeAnAreaOfAnyView() {
        #expect(
            json(Text("a").padding(EdgeInsets(top: 1, left: 2)))
                == #"{"type":"vstack","children":[{"type":"text","text":"a"}],"insets":{"top":1,"left":2}}"#)
        #expect(
            json(Text("a").padding()) == json(Text("a").padding(EdgeInsets(top: 1, left: 2, bottom: 1, right: 2))))
        #expect(json(Text("a").onTap("go")) == json(TapArea(action: "go") { Text("a") }))
    }

    @Test func closuresHaveConditionsAndLoops() {
        let (many, none): (Bool, String?) = (true, nil)
        let text = json {
            HStack {
                for name in ["a", "b"] { Text(name) }
                if many { Text("c") } else { Divider() }
                if let none { Text(none) }
                switch many {
                case true: Text("d")
                case false: EmptyView()
                }
            }
        }
        let children = ["a", "b", "c", "d"].map { #"{"type":"text","text":"\#($0)"}"# }.joined(separator: ",")
        #expect(text == #"{"type":"hstack","children":[\#(children)]}"#)
    }

    @Test func severalViewsAreBelowEachOther() {
        let text = json {
            Text("a")
            Text("b")
        }
        #expect(text == json(VStack { for name in ["a", "b"] { Text(name) } }))
    }

    @Test(arguments: NCWidgetDisplayMode.allCases) func aViewMayBeForOneDisplayMode(mode: NCWidgetDisplayMode) {
        let text = json(mode) {
            ByDisplayMode {
                Text("small")
            } expanded: {
                Text("large")
            }
        }
        #expect(text == json(Text(mode == .compact ? "small" : "large")))
        #expect(json(Text("x").only(in: .expanded), mode) == (mode == .compact ? "nothing" : json(Text("x"))))
    }

    private struct Row: View {
        let name: String
        var body: some View {
            HStack {
                Text(name)
                Spacer()
            }
        }
    }

    @Test func anAuthorsViewLowersItsBody() {
        #expect(
            json(Row(name: "a").bold())
                == #"{"type":"hstack","children":[{"type":"text","text":"a","weight":"bold"},{"type":"spacer"}]}"#)
    }
}

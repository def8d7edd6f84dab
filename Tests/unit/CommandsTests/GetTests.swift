// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Testing
import TodayModel
import Varlink

@testable import Commands

/// `todayctl get`, against a service that follows a script.
@Suite struct GetTests {
    private static let series: JSON = [
        [
            "name": "load1", "count": 2,
            "samples": [
                ["time": 1_700_000_000_000_000, "value": 0.25, "future": 1],
                ["time": 1_700_000_060_000_000, "value": 2.0],
            ],
        ], ["name": "percentage", "count": 1, "samples": [["time": 0, "value": 62.0]]],
    ]

    /// What the daemon replies: all values of one number, or the last of each.
    private static func found(_ name: JSON?) -> [JSON] {
        let all = series.arrayValue ?? []
        if let name { return all.filter { $0["name"] == name } }
        return all.map { one in
            let last = one["samples"]?.arrayValue?.last.map { [$0] } ?? []
            return ["name": one["name"] ?? nil, "count": one["count"] ?? nil, "samples": .array(last)]
        }
    }

    private func run(_ arguments: [String], hasPicture: Bool = false) throws -> Program.Result {
        let program = Program()
        let load = Wire.item(
            "org.a.load", text: "load 2", state: "failing",
            change: ["failure": "exited with status 1", "taken": 1_700_000_060_000_000, "name": "Load"]
        ) {
            $0["percentage"] = 62.5
            $0["color"] = "#ff8000"
            $0["metrics"] = ["load1": 2.0, "load15": 0.5]
            if hasPicture { $0["compact"] = ["type": "image", "image": "ab12"] }
        }
        program.serve(connections: 100) { peer in
            while let call = peer.receive() {
                switch call.memberName {
                case "Picture": peer.send(VarlinkReply(["png": call.parameters["image"] == "ab12" ? "UE5H" : .null]))
                case "Show": peer.send(VarlinkReply(["items": [load], "removed": []]))
                default:
                    let name = call.parameters["name"]
                    peer.send(VarlinkReply(["series": .array(Self.found(name))]))
                }
            }
        }
        setenv("TZ", "UTC", 1)
        tzset()
        return try program.run(["get"] + arguments)
    }

    @Test(
        arguments: [
            ("percentage", "62.5\n"), ("color", "#ff8000\n"), ("colour", "#ff8000\n"), ("state", "failing\n"),
            ("failure", "exited with status 1\n"), ("metrics.load1", "2\n"), ("metrics.load15", "0.5\n"),
            ("name", "Load\n"), ("title", "Load\n"), ("id", "org.a.load\n"), ("severity", "normal\n"),
            ("stale", "false\n"), ("mode", "compact\n"),
            ("taken", "2023-11-14T22:14:20+00:00\n"),
            ("history.load1", "2023-11-14T22:13:20+00:00  0.25\n2023-11-14T22:14:20+00:00  2\n"),
            ("history.percentage", "1970-01-01T00:00:00+00:00  62\n"),
        ])
    func oneValueIsALine(name: String, output: String) throws {
        #expect(try run(["load", name]) == .init(code: .ok, output: output, errors: ""))
    }

    @Test(
        arguments: [
            ("percentage", "62.5\n"), ("state", "\"failing\"\n"), ("taken", "1700000060000000\n"), ("stale", "false\n"),
            ("metrics.load1", "2.0\n"), ("history.percentage", "[{\"time\":0,\"value\":62.0}]\n"),
        ])
    func jsonIsTheValueOfTheProtocol(name: String, output: String) throws {
        #expect(try run(["load", name, "--json"]) == .init(code: .ok, output: output, errors: ""))
    }

    @Test(
        arguments: [
            ("short", "load has no short now"), ("tooltip", "load has no tooltip now"),
            ("metrics.lod1", "load has no metrics.lod1 now; did you mean metrics.load1?"),
            ("metrics.x", "load has no metrics.x now; it has metrics.load1, metrics.load15"),
            ("history.x", "load has no history.x now; it has history.load1, history.percentage"),
            ("history.lod1", "load has no history.lod1 now; did you mean history.load1?"),
        ])
    func aMissingValueIsANo(name: String, reason: String) throws {
        #expect(try run(["load", name]) == .init(code: .no, output: "", errors: "todayctl: \(reason)\n"))
        #expect(try run(["load", name, "--quiet"]) == .init(code: .no, output: "", errors: ""))
    }

    /// Without a name behind the dot, the names that there are.
    @Test(
        arguments: [
            (["history"], "history.load1\nhistory.percentage\n"), (["history."], "history.load1\nhistory.percentage\n"),
            (["metrics"], "metrics.load1\nmetrics.load15\n"),
            (["history", "--json"], "[\"history.load1\",\"history.percentage\"]\n"),
        ])
    func aKindOfNumberListsItsNames(words: [String], output: String) throws {
        #expect(try run(["load"] + words) == .init(code: .ok, output: output, errors: ""))
    }

    /// By its name or its number: the bytes of the file, and with --json what the protocol has.
    @Test(
        arguments: [
            (["image.ab12"], "PNG", ""), (["image.1"], "PNG", ""), (["image.1", "--json"], "\"UE5H\"\n", ""),
            (["image."], "image.ab12\n", ""),
            (["image.2"], "", "todayctl: load has no image.2 now; did you mean image.ab12?\n"),
        ])
    func aPictureIsItsFile(words: [String], output: String, errors: String) throws {
        let result = try run(["load"] + words, hasPicture: true)
        #expect(result == .init(code: errors.isEmpty ? .ok : .no, output: output, errors: errors))
    }

    @Test func aKindWithoutNamesSaysWhy() throws {
        let errors = "todayctl: load has no image: it shows no picture\n"
        #expect(try run(["load", "image."]) == .init(code: .no, output: "", errors: errors))
    }

    @Test(
        arguments: [
            ("percent", "no value has the name 'percent'; did you mean percentage? There are id, name,"),
            ("xyz", "no value has the name 'xyz'; there are id, name, state, mode, text,"),
            ("histor", "no value has the name 'histor'; did you mean history?"),
            ("histori.load1", "no value has the name 'histori.load1'; there are"),
        ])
    func anUnknownNameIsWrongUsage(name: String, reason: String) throws {
        let result = try run(["load", name])
        #expect(result.code == .usage && result.output.isEmpty)
        #expect(result.errors.hasPrefix("todayctl: \(reason)"), "\(result.errors)")
    }

    /// The age is that of now.
    @Test func agesAreInSecondsAndInWords() throws {
        let seconds = WallTime.now.microseconds / 1_000_000 - 1_700_000_060
        for option in [[], ["--json"]] {
            let output = try run(["load", "age"] + option).output
            let age = try #require(Int64(output.dropLast()))
            #expect((seconds...seconds + 60).contains(age))
        }
        #expect(try run(["load", "freshness"]).output == "failing, \(seconds / 86_400) d\n")
    }

    /// What was never taken has no age, and what is fresh says how old it is.
    @Test(arguments: [(false, nil, "waiting"), (true, "60", "1 min")] as [(Bool, String?, String)])
    func agesAreFromTheLastConfirmation(isTaken: Bool, age: String?, freshness: String) throws {
        let now = WallTime(microseconds: 1_700_000_120_000_000)
        let id = try #require(WidgetID("org.a.b"))
        var item = Item(id: id, name: "B", points: [], position: 0, state: isTaken ? .ready : .waiting)
        if isTaken {
            item.taken = WallTime(microseconds: 0)
            item.confirmed = WallTime(microseconds: 1_700_000_060_000_000)
        }
        let facts = WidgetFacts(item, now: now)
        #expect(
            facts["age"].map { WidgetFacts.text($0, of: "age") } == age && facts["freshness"]?.stringValue == freshness)
    }

    @Test func theSummaryIsPrintedAsItIs() throws {
        for name in ["text", "summary"] { #expect(try run(["load", name]).output == "load 2\n") }
    }

    @Test func theManualHasEveryName() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let manual = String(decoding: try InputFile.read("\(root)/docs/man/todayctl.1", upTo: 1 << 20), as: UTF8.self)
        let start = try #require(manual.firstRange(of: ".BR get "))
        let end = try #require(manual[start.upperBound...].firstRange(of: "Dates have the form"))
        let words = Set(manual[start.upperBound..<end.lowerBound].split { !$0.isLetter }.map(String.init))
        for name in WidgetFacts.names + Array(WidgetFacts.synonyms.keys) where name != "colour" {
            #expect(words.contains(name), "\(name)")
        }
    }

    @Test func withoutANameItPrintsAll() throws {
        let result = try run(["load"])
        #expect(result.code == .ok && result.errors.isEmpty)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("NAME") == true)
        #expect(lines.contains("percentage          62.5"))
        #expect(lines.contains("metrics.load1       2"))
        #expect(lines.contains("history.load1       2 values, the last 2"))
        #expect(lines.contains("history.percentage  1 value, the last 62"))
        #expect(!result.output.contains("short"))
        let json = try JSON.parse(Array(try run(["load", "--json"]).output.utf8))
        #expect(json["percentage"] == 62.5 && json["history.percentage"] == [["time": 0, "value": 62.0]])
        #expect(json["short"] == nil)
        #expect(json["history.load1"]?.arrayValue?.count == 2)
    }
}

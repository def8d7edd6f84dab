// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// The history of widgets' numbers, from the program to `todayctl get` and to charts.
    @Suite struct NumberHistoryTests {
        /// A widget that counts its updates in a number, and draws their history.
        private static let counting = #"""
            n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n
            printf '{"text":"%s","metrics":{"n":%s},"compact":{"type":"chart","history":"n"}}' $n $n
            """#

        private static func points(_ daemon: PrivateDaemon) throws -> [Double]? {
            guard case .chart(let chart)? = try daemon.item("a").content?.compact else { return nil }
            return chart.points
        }

        /// The numbers that `todayctl get` prints.
        private static func values(_ daemon: PrivateDaemon, _ name: String) throws -> [String] {
            try daemon.todayctl("get", "a", "history.\(name)").output.split(separator: "\n").compactMap {
                $0.split(separator: " ").last.map(String.init)
            }
        }

        @Test func valuesAreAChartAndSurviveAKill() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", Self.counting, update: "Protocol=json\nInterval=1h"))
            try daemon.follow("a") { $0.content?.text == "1" }
            usleep(1_100_000)
            #expect(try daemon.update("a").answer == .newData)
            #expect(try Self.points(daemon) == [1, 2])
            try daemon.killWithAllStored("a")
            try daemon.start()
            #expect(try Self.points(daemon)?.starts(with: [1, 2]) == true)
            usleep(1_100_000)
            #expect(try daemon.update("a").answer == .newData)
            let values = try Self.values(daemon, "n")
            let text = try daemon.item("a").content?.text
            #expect(values.starts(with: ["1", "2"]) && values.last == text)
            #expect(try Self.points(daemon)?.map { "\(Int($0))" } == values)
            #expect(try daemon.todayctl("get", "a", "metrics.n").output == "\(values.last ?? "")\n")
        }

        /// A script that knows nothing of JSON prints the same number again: that is a value, too.
        @Test func theSameNumberAgainIsAValue() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", "echo text=x; echo percentage=62", update: "Protocol=keyvalue\nInterval=1h"))
            try daemon.follow("a") { $0.content != nil }
            usleep(1_100_000)
            #expect(try daemon.update("a").answer == .noData)
            #expect(try Self.values(daemon, "percentage") == ["62", "62"])
        }

        @Test func hostileNamesAndNumbersHarmNothing() throws {
            let body = #"""
                printf '{"text":"x %s","metrics":{"n%s":1,"a b":-0.0,"big":1e308,"=;|\"é":5e-324}}' \
                    "$(date +%N)" "$(date +%N)"
                """#
            let daemon = try PrivateDaemon(
                widgets: Widgets.all(
                    Widgets.script("a", body, update: "Protocol=json\nInterval=1h"),
                    Widgets.script(
                        "wrong", #"printf '{"text":"x","metrics":{"a\\u0000b":1}}'"#,
                        update: "Protocol=json\nInterval=1h"),
                    Widgets.script(
                        "infinite", #"printf '{"text":"x","metrics":{"a":1e999}}'"#,
                        update: "Protocol=json\nInterval=1h")))
            try daemon.follow("a") { $0.content != nil }
            for id in ["wrong", "infinite"] { try daemon.follow(id) { $0.state == .failing } }
            for _ in 0..<80 { #expect(try daemon.update("a").answer == .newData) }
            let reply = try daemon.call("History", ["id": "org.test.a"])
            let names = (reply["series"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
            #expect(names.count == History.mostNames)
            #expect(Set(names).isSuperset(of: ["a b", "big", "=;|\"é"]))
            #expect(try Self.values(daemon, "big").allSatisfy { $0 == "1e+308" })
            #expect(try daemon.todayctl("get", "a", "history.=;|\"é").status == 0)
            #expect(try daemon.todayctl("get", "wrong", "history.a").status == 1)
            #expect(try daemon.stop() == 0)
        }

        /// A stream with ten updates a second has one value a second.
        @Test func aStreamHasAValueASecond() throws {
            let body =
                #"i=0; while :; do i=$((i + 1)); echo "{\"text\":\"$i\",\"metrics\":{\"i\":$i}}"; sleep 0.05; done"#
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", body, update: "Protocol=json\nStream=yes\nInterval=1h"))
            try daemon.follow("a") { $0.content != nil }
            sleep(3)
            let count = try Self.values(daemon, "i").count
            #expect((3...5).contains(count), "\(count)")
        }
    }
}

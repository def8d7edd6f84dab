// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import Varlink

/// Runs the real crypticker with a real server of prices, and with a scripted service in place of todayd.
@Suite(.serialized) struct AppProgramTests {
    private let directory = TemporaryDirectory()

    private func run(_ arguments: [String], _ server: PriceServer? = nil, _ more: [String: String] = [:]) throws
        -> WidgetProgram.Ending
    {
        var environment = ["CRYPTICKER_SERVER": server?.url ?? "http://127.0.0.1:1"]
        environment.merge(more) { $1 }
        return try WidgetProgram("crypticker", arguments, environment: PriceServer.variables(environment)).finish()
    }

    /// Starts a service in place of todayd.
    ///
    /// - Returns: the service, which ends with its last reference, and the environment that leads to it.
    private func daemon(_ group: GroupService) -> (ScriptedService, [String: String]) {
        let path = directory("socket")
        let service = ScriptedService(at: path) { peer in
            while let call = peer.receive() { peer.send(group.reply(to: call)) }
        }
        return (service, ["TODAYD_SOCKET": path])
    }

    @Test func withoutADayTheNewestPriceIsShown() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let ending = try run([], server)
        #expect(ending.errors == "")
        #expect(ending.status == 0)
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "Bitcoin on 2026-11-30")
        #expect(lines.dropFirst().first?.contains("$67,250.00") == true)
        #expect(lines.dropFirst().first?.contains("+250.00 (+0.37%)") == true)
        #expect(lines.contains("2026-11-01 to 2026-11-30"))
        #expect(lines.contains("low $60,000.00 on 2026-11-01, high $67,250.00 on 2026-11-30"))
        // The chart has the ends of its axis. The output is ASCII and has no colours.
        #expect(lines.filter { $0.hasSuffix("67.3k") || $0.hasSuffix("60k") }.count == 2)
        #expect(ending.output.utf8.allSatisfy { $0 == 0x0A || ($0 >= 0x20 && $0 < 0x7F) })
    }

    @Test func inUTF8TheChartIsFiner() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let ending = try run([], server, ["LC_ALL": "C.UTF-8"])
        #expect(ending.output.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test(arguments: ["2026-11-02", "crypticker://day/2026-11-02"]) func eachOfTheThirtyDaysCanBeShown(day: String)
        throws
    {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let ending = try run([day], server)
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("Bitcoin on 2026-11-02\n$60,250.00"))
        #expect(ending.output.contains("+250.00 (+0.42%)"))
        // The chart marks the day: a vertical line through its five rows, with a point on it.
        let rows = ending.output.split(separator: "\n").dropFirst(3).prefix(5)
        let column = try #require(rows.first?.firstIndex(of: "|")?.utf16Offset(in: rows.first ?? ""))
        #expect(rows.filter { Array($0)[column] == "|" }.count == 4)
        #expect(rows.filter { Array($0)[column] == "O" }.count == 1)
    }

    @Test func withoutADayNothingIsMarked() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        #expect(try !run([], server).output.contains("|"))
    }

    @Test(arguments: ["2026-10-31", "2026-12-01", "crypticker://day/1970-01-01"]) func aDayWithoutAPriceIsAnError(
        day: String
    ) throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let ending = try run([day], server)
        #expect(ending.status == 1)
        #expect(ending.output == "")
        #expect(ending.errors.hasSuffix("there are some from 2026-11-01 to 2026-11-30\n"))
    }

    static let wrong: [([String], String)] = [
        (["yesterday"], "'yesterday' is not a day"), (["2026-02-30"], "is not a day"),
        (["crypticker://day/"], "is not a day"), (["crypticker://day/2026-11-01/"], "is not a day"),
        (["crypticker://night/2026-11-01"], "is not a day"), (["\u{1B}[31mred"], "'?[31mred' is not a day"),
        (["--currency", "dollar"], "'dollar' is not a code"), (["--colour"], "try 'crypticker --help'"),
        (["2026-11-01", "2026-11-02"], "try 'crypticker --help'"), (["--currency"], "try 'crypticker --help'"),
    ]

    @Test(arguments: wrong) func wrongArgumentsAreReported(arguments: [String], words: String) throws {
        let ending = try run(arguments)
        #expect(ending.status == (words.hasPrefix("try") ? 2 : 1))
        #expect(ending.output == "")
        #expect(ending.errors.hasPrefix("crypticker: "))
        #expect(ending.errors.contains(words), "\(ending.errors)")
    }

    @Test func aFailedRequestIsReportedWithItsReason() throws {
        let server = PriceServer(.init("", status: "500 Oops"))
        defer { server.stop() }
        let ending = try run([], server)
        #expect(ending.status == 1 && ending.output == "")
        #expect(ending.errors == "crypticker: the server answered 500 Internal Server Error\n")
    }

    @Test func theCurrencyIsSetForAppAndWidget() throws {
        let group = GroupService()
        let (service, environment) = daemon(group)
        let ending = try run(["--currency", "EUR"], nil, environment)
        withExtendedLifetime(service) {}
        #expect(ending.status == 0)
        #expect(ending.output == "Prices are in EUR now.\n")
        let call = try #require(group.calls("SetDefaults").first)
        #expect(call["group"]?.stringValue == "group.org.todayd.crypticker")
        #expect(call["key"]?.stringValue == "currency")
        #expect(call["value"]?["value"]?.stringValue == "eur")
    }

    @Test func theCurrencyComesFromTheGroup() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let group = GroupService()
        group.set("currency", "chf")
        let (service, environment) = daemon(group)
        let ending = try run([], server, environment)
        withExtendedLifetime(service) {}
        #expect(ending.output.contains("67,250.00 CHF"))
        #expect(server.requests.first?.target.contains("vs_currency=chf") == true)
    }

    @Test func withoutTodaydTheCurrencyIsNotSet() throws {
        let ending = try run(["--currency", "eur"], nil, ["XDG_STATE_HOME": directory.path])
        #expect(ending.status == 1 && ending.output == "")
        #expect(ending.errors.hasPrefix("crypticker: todayd does not answer"))
    }

    @Test func withoutTheWidgetTheCurrencyCannotBeSet() throws {
        let group = GroupService(
            error: VarlinkError(
                name: "org.todayd.Today.NoSuchGroup", parameters: ["group": "group.org.todayd.crypticker"]))
        let (service, environment) = daemon(group)
        let ending = try run(["--currency", "eur"], nil, environment)
        withExtendedLifetime(service) {}
        #expect(ending.status == 1)
        #expect(ending.errors.contains("group.org.todayd.crypticker"))
    }
}

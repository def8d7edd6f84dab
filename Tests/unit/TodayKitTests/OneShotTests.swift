// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel

@testable import TodayKit

/// Runs with Protocol=json. Each makes its own widget, as a new process does.
@MainActor @Suite(.serialized) struct OneShotTests {
    static var result: Result<NCUpdateResult, any Error> = .success(.newData)
    static var text = "x"
    static var nextUpdate: Duration?

    final class Plain: TodayWidget {
        func widgetPerformUpdate() async throws -> NCUpdateResult { try result.get() }
        var widgetAllowsEditing: Bool { true }
        var summary: WidgetSummary { WidgetSummary(nextUpdate: nextUpdate) }
        var body: some TodayKit.View { Text(extensionContext.isEditing ? "editor" : text) }
    }

    private enum Busy: WidgetRetrying {
        case until(Duration?)
        var retryAfter: Duration? {
            switch self {
            case .until(let wait): wait
            }
        }
    }

    private let state = TemporaryDirectory()

    init() { (Self.result, Self.text, Self.nextUpdate) = (.success(.newData), "x", nil) }

    /// The exit status and the output of one run.
    private func run(_ environment: [String: String] = [:]) async throws -> (status: Int32, output: String) {
        let own = ["TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path]
        let variables = EnvironmentVariables(own.merging(environment) { $1 })
        let path = state("output")
        let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let status = await Surroundings(variables: variables).during {
            await OneShot<Plain>(variables: variables, output: output).run()
        }
        close(output)
        return (status, String(decoding: try #require(Descriptor.contents(of: path)), as: UTF8.self))
    }

    private func content(_ environment: [String: String] = [:]) async throws -> Content {
        let ending = try await run(environment)
        #expect(ending.status == 0)
        return try Content(JSONField(root: JSON.parse(ending.output)))
    }

    @Test func noDataSaysSoIfTodaydHasContent() async throws {
        (Self.result, Self.text) = (.success(.noData), "drawn")
        #expect(try await run(["TODAY_KNOWN": "1"]) == (0, "{\"noData\":true}\n"))
        Self.nextUpdate = .seconds(90)
        #expect(try await run(["TODAY_KNOWN": "1"]) == (0, "{\"noData\":true,\"nextUpdate\":90000000}\n"))
    }

    @Test(arguments: [["TODAY_KNOWN": "0"], [:]]) func noDataDrawsTheBodyWhileNothingIsKnown(_ known: [String: String])
        async throws
    {
        (Self.result, Self.text) = (.success(.noData), "drawn")
        #expect(try await content(known).text == "drawn")
    }

    @Test func anEditorIsDrawnAndThenTheBody() async throws {
        #expect(try await content(["TODAY_EDITING": "begin", "TODAY_REASON": "editing"]).text == "editor")
        #expect(try await content(["TODAY_EDITING": "cancel", "TODAY_REASON": "editing"]).text == "x")
    }

    static let waits: [(Duration?, String)] = [
        (.seconds(960), "{\"failed\":\"until(16min)\",\"nextUpdate\":960000000}\n"),
        (.milliseconds(1), "{\"failed\":\"until(16min)\",\"nextUpdate\":1000000}\n"),
        (.seconds(1_000_000_000), "{\"failed\":\"until(16min)\",\"nextUpdate\":31622400000000}\n"),
        (.zero, ""), (.seconds(-5), ""), (nil, ""),
    ]

    @Test func aFailureHasTheTimeToRetry() async throws {
        for (wait, output) in Self.waits {
            Self.result = .failure(WidgetFailure("until(16min)", retryAfter: wait))
            let ending = try await run()
            #expect(ending.status == 1)
            #expect(ending.output == output)
        }
    }

    @Test func anAuthorsErrorMayHaveTheTimeToRetry() async throws {
        Self.result = .failure(Busy.until(.seconds(60)))
        #expect(try await run().output.contains("\"nextUpdate\":60000000"))
        Self.result = .failure(Busy.until(nil))
        #expect(try await run().output == "")
    }
}

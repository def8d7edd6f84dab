// SPDX-License-Identifier: MIT
import JSON
import Platform
import Testing
import TodayModel
import VarlinkInterface

@testable import TodayKit

/// Calls, requests and outcomes, in the environment of a run and in the JSON of org.todayd.Widget.
@Suite struct WidgetCallTests {
    @Test func outcomesHaveTheTimeOfTheNextUpdate() {
        let interface = InterfaceDescription(constant: Interfaces.widget)
        let table: [(WidgetOutcome, String)] = [
            (.noData(), #"{"result":"noData"}"#),
            (.noData(nextUpdate: .minutes(1)), #"{"result":"noData","nextUpdate":60000000}"#),
            (.failed("x"), #"{"result":"failed","reason":"x"}"#),
            (.failed("x", retryAfter: .minutes(1)), #"{"result":"failed","reason":"x","nextUpdate":60000000}"#),
        ]
        for (outcome, text) in table {
            #expect(outcome.json.text == text)
            #expect(interface.check(["update": outcome.json], against: .output(of: "PerformUpdate")) == nil)
        }
    }

    @Test func theEnvironmentDecidesWhatTheProgramDoes() {
        let table: [([String: String], Invocation)] = [
            ([:], .development),
            (["TODAYD": "1"], .oneShot),
            (["TODAYD": "0"], .development),
            (["TODAYD": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "varlink:context"], .service(widget: 3, context: 4)),
            (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "context:varlink"], .service(widget: 4, context: 3)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink:context"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink", "LISTEN_PID": "7"], .service(widget: 3, context: nil)),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink", "LISTEN_PID": "8"], .development),
            (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"], .development),
            (["LISTEN_FDS": "x", "LISTEN_FDNAMES": "varlink"], .development),
            (["LISTEN_FDS": "0", "LISTEN_FDNAMES": "varlink"], .development),
        ]
        for (variables, invocation) in table {
            #expect(Invocation(EnvironmentVariables(variables), pid: 7) == invocation)
        }
    }

    @Test func theEnvironmentOfARunIsARequest() {
        let variables = EnvironmentVariables([
            "TODAY_REASON": "wake", "TODAY_DISPLAY_MODE": "expanded", "TODAY_MAX_COLUMNS": "44", "TODAY_MAX_ROWS": "-1",
        ])
        var woken = WidgetRequest(reason: .wake, mode: .expanded, size: WidgetSize(columns: 44, rows: 16))
        woken.isKnown = false
        #expect(WidgetRequest(variables) == woken)
        var unknown = WidgetRequest()
        unknown.isKnown = false
        #expect(WidgetRequest(EnvironmentVariables([:])) == unknown)
        for nonsense in ["0", "-5", "x", ""] {
            let variables = ["TODAY_MAX_COLUMNS": nonsense, "TODAY_MAX_ROWS": nonsense]
            #expect(WidgetRequest(EnvironmentVariables(variables)) == unknown, "\(nonsense)")
        }
        #expect(WidgetRequest(EnvironmentVariables(["TODAY_KNOWN": "1"])).isKnown)
        #expect(!WidgetRequest(EnvironmentVariables(["TODAY_KNOWN": "0"])).isKnown)
    }

    @Test func theEnvironmentOfARunHasTheStateOfEditing() {
        let table: [(String, WidgetCall, Bool)] = [
            ("begin", .beginEditing, true), ("continue", .performUpdate, true),
            ("end", .endEditing(isCancelled: false), false), ("cancel", .endEditing(isCancelled: true), false),
        ]
        for (word, call, isEditing) in table {
            let variables = EnvironmentVariables(["TODAY_EDITING": word])
            #expect(WidgetCall(variables) == call)
            #expect(WidgetRequest(variables).isEditing == isEditing)
        }
        let press = EnvironmentVariables(["TODAY_EDITING": "continue", "TODAY_ACTION": "yen"])
        #expect(WidgetCall(press) == .performAction("yen"))
        #expect(WidgetRequest(press).isEditing)
    }

    @Test func aCallMayLeaveOutWhatIsKnown() throws {
        var request: JSON = ["reason": "boot", "mode": "expanded", "columns": 50, "rows": 12]
        #expect(try WidgetRequest(JSONField(root: request)).isKnown)
        #expect(try !WidgetRequest(JSONField(root: request)).isEditing)
        request = [
            "reason": "boot", "mode": "expanded", "columns": 50, "rows": 12, "known": false, "editing": true,
        ]
        #expect(try !WidgetRequest(JSONField(root: request)).isKnown)
        #expect(try WidgetRequest(JSONField(root: request)).isEditing)
        var other = request.objectValue ?? [:]
        other["row"] = 1
        #expect(throws: JSONMismatch.self) { try WidgetRequest(JSONField(root: .object(other))) }
    }
}

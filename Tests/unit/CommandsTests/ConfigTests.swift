// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands

/// `todayctl config`, against a service that follows a script.
@Suite struct ConfigTests {
    private static let settings: JSON = [
        ["name": "CITY", "type": "string", "label": "Your city", "default": "Berlin", "isSet": true, "value": "Bern"],
        ["name": "TOKEN", "type": "secret", "isSet": false, "future": 1],
    ]

    /// A program whose service keeps the parameters of SetSettings.
    private final class Recorder: Sendable {
        let calls = Mutex<[JSONObject]>([])

        func serve(_ program: Program, answer: VarlinkReply = VarlinkReply()) {
            program.serve(connections: 100) { [self] peer in
                while let call = peer.receive() {
                    if call.memberName == "SetSettings" {
                        calls.withLock { $0.append(call.parameters) }
                        peer.send(answer)
                    } else {
                        peer.send(VarlinkReply(["settings": ConfigTests.settings, "face": []]))
                    }
                }
            }
        }
    }

    private func run(_ arguments: [String], answer: VarlinkReply = VarlinkReply()) throws -> (
        result: Program.Result, calls: [JSONObject]
    ) {
        let (program, recorder) = (Program(), Recorder())
        recorder.serve(program, answer: answer)
        let result = try program.run(["config"] + arguments)
        return (result, recorder.calls.withLock { $0 })
    }

    @Test func withoutValuesItPrintsATable() throws {
        let (result, calls) = try run(["weather"])
        #expect(result.code == .ok && result.errors.isEmpty && calls.isEmpty)
        #expect(
            result.output.hasPrefix(
                "NAME   VALUE      DEFAULT  TYPE    MEANING\nCITY   Bern       Berlin   string  Your city\n"))
        #expect(result.output.contains("\nTOKEN  (not set)  -        secret"))
    }

    @Test func jsonIsTheReply() throws {
        let output = try run(["weather", "--json"]).result.output
        #expect(try JSON.parse(Array(output.utf8))["settings"] == Self.settings)
        #expect(try run(["weather", "CITY=x", "--json"]).result.output == "{}\n")
    }

    @Test func aWidgetWithoutSettingsSaysSo() throws {
        let program = Program()
        program.serve(["Settings": [VarlinkReply(["settings": [], "face": []])]])
        let result = try program.run(["config", "disk"])
        #expect(result.code == .ok && result.errors == "todayctl: disk declares no settings; these every widget has:\n")
    }

    @Test(
        arguments: [
            (["w", "CITY=New York"], ["id": "w", "values": ["CITY": "New York"]]),
            (["w", "CITY=\u{301}x"], ["id": "w", "values": ["CITY": "\u{301}x"]]),
            (["w", "CITY=a=b", "N="], ["id": "w", "values": ["CITY": "a=b", "N": ""]]),
            (["w", "--unset", "CITY", "-u", "N"], ["id": "w", "values": [:], "unset": ["CITY", "N"]]),
            (["w", "N=1", "--unset=CITY"], ["id": "w", "values": ["N": "1"], "unset": ["CITY"]]),
        ] as [([String], JSONObject)])
    func allValuesAreOneCall(arguments: [String], parameters: JSONObject) throws {
        let (result, calls) = try run(arguments)
        #expect(result == .init(code: .ok, output: "", errors: ""))
        #expect(calls == [parameters])
    }

    @Test(arguments: [
        (["w", "CITY"], "'CITY' is not NAME=VALUE; 'todayctl config w' shows all settings"),
        (["w", "A=1", "A=2"], "A is there twice"), (["w", "A=1", "--secret", "A"], "A is there twice"),
        (["w", "--secret", "A", "--secret", "B"], "--secret reads one line"),
        (
            ["w", "TOKEN=hunter2"],
            "TOKEN is a secret, and others can read command lines: use 'todayctl config w --secret TOKEN'"
        ),
        (
            ["w", "--secret", "CITY"],
            "CITY is not a secret, and clients show its value: use 'todayctl config w CITY=VALUE'"
        ),
    ])
    func wrongUsageChangesNothing(arguments: [String], reason: String) throws {
        let (result, calls) = try run(arguments)
        #expect(result.code == .usage && calls.isEmpty)
        #expect(result.errors.hasPrefix("todayctl: \(reason)"), "\(result.errors)")
        #expect(!result.errors.contains("hunter2"))
    }

    @Test func aRefusalIsPrinted() throws {
        let error = VarlinkError(
            name: "org.todayd.Today.Refused", parameters: ["reason": "COUNT: \"x\" is not a number"])
        let result = try run(["w", "COUNT=x"], answer: VarlinkReply(error)).result
        #expect(result == .init(code: .failed, output: "", errors: "todayctl: COUNT: \"x\" is not a number\n"))
    }

    // MARK: Standard input

    /// Runs with standard input from a pipe.
    private func run(_ arguments: [String], input: String) throws -> (result: Program.Result, calls: [JSONObject]) {
        try StandardInput.replaced { try runReplacing(arguments, input) }
    }

    private func runReplacing(_ arguments: [String], _ input: String) throws -> (
        result: Program.Result, calls: [JSONObject]
    ) {
        let before = dup(STDIN_FILENO)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        dup2(ends[0], STDIN_FILENO)
        defer {
            dup2(before, STDIN_FILENO)
            for descriptor in [before, ends[0]] { close(descriptor) }
        }
        _ = Descriptor.writeAll(Array(input.utf8), to: ends[1])
        close(ends[1])
        return try run(arguments)
    }

    @Test(arguments: [("hunter2\nmore\n", "hunter2"), ("hunter2", "hunter2"), ("\n", ""), (" a b \n", " a b ")])
    func aSecretIsALineOfStandardInput(input: String, value: String) throws {
        let (result, calls) = try run(["w", "--secret", "TOKEN", "CITY=Bern"], input: input)
        #expect(result == .init(code: .ok, output: "", errors: ""))
        #expect(calls == [["id": "w", "values": ["CITY": "Bern", "TOKEN": .string(value)]]])
    }

    /// Keys that a user presses on a terminal, and what the service gets; nil where it gets nothing.
    @Test(arguments: [("hunter2\n", "hunter2"), ("ab\u{7f}c\n", "ac"), ("hunter\u{3}", nil)])
    func aTerminalDoesNotShowASecret(keys: String, value: String?) throws {
        try StandardInput.replaced { try expectSilence(keys, value) }
    }

    private func expectSilence(_ keys: String, _ value: String?) throws {
        guard let terminal = Terminal() else { return }
        defer { terminal.release() }
        // The user types when the terminal is silent.
        terminal.typeWhenSilent(keys)
        let (result, calls) = try run(["w", "--secret", "TOKEN"])
        terminal.waitForKeys()
        let isInterrupted = value == nil
        #expect(result.code == (isInterrupted ? .failed : .ok))
        #expect(
            result.errors == "TOKEN of w: \n" + (isInterrupted ? "todayctl: interrupted; nothing is set\n" : ""))
        #expect(calls == (value.map { [["id": "w", "values": ["TOKEN": .string($0)]]] } ?? []))
        #expect(terminal.isEchoing)
        #expect(terminal.shown.isEmpty)
    }

    @Test(arguments: [
        ("", "standard input is empty"), (String(repeating: "x", count: 16_385), "the line is longer than 16384 bytes"),
    ])
    func noLineIsNoSecret(input: String, reason: String) throws {
        let (result, calls) = try run(["w", "--secret", "TOKEN"], input: input)
        #expect(result == .init(code: .usage, output: "", errors: "todayctl: \(reason); nothing is set\n"))
        #expect(calls.isEmpty)
    }

    private static let choices: JSON = [
        ["name": "CITY", "type": "string", "isSet": true, "value": "Bern"],
        ["name": "UNITS", "type": "choice", "options": ["metric", "imperial", "mixed"], "isSet": false],
        ["name": "QUIET", "type": "boolean", "isSet": false], ["name": "TOKEN", "type": "secret", "isSet": false],
    ]

    /// The arguments of config, of which the last one is to be completed, and what it may become.
    @Test(
        arguments: [
            (["w", "--unset", ""], "CITY"), (["w", "--unset", "T"], ""), (["--unset", ""], ""),
            (["w", "--secret", ""], "TOKEN"), (["w", "--secret", "C"], ""),
            (["w", ""], "CITY= UNITS= QUIET="), (["w", "U"], "UNITS="),
            (["w", "T"], ""), (["w", "CITY=x", ""], "UNITS= QUIET="),
            (["w", "UNITS", "=", ""], "metric imperial mixed"),
            (["w", "UNITS", "=", "mi"], "mixed"), (["w", "PLACE", "=", "C"], ""),
            (["w", "UNITS=m"], "UNITS=metric UNITS=mixed"),
            (["w", "QUIET="], "QUIET=yes QUIET=no"),
            (["w", "QUIET", "=", "no", ""], "CITY= UNITS="), (["w", "CITY="], ""),
            (["w", "TOKEN="], ""),
        ] as [([String], String)])
    func shellsCompleteSettings(words: [String], expected: String) throws {
        let program = Program()
        program.serve(["Settings": [VarlinkReply(["settings": Self.choices, "face": []])]])
        let output = try program.run(["complete", "--", words.last ?? "", "config"] + words.dropLast()).output
        #expect(output.split(separator: "\n").joined(separator: " ") == expected)
    }
}

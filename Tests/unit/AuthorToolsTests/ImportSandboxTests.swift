// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import
import JSON
import Registry
import TestSupport
import Testing
import TodayModel

@testable import AuthorTools

/// The sandboxes of imported programs.
@Suite struct ImportSandboxTests {
    private let machine: ImportMachine
    private let configuration: String

    init() throws {
        machine = try ImportMachine(withFixtures: false)
        configuration = try machine.home.write("[a]\ncommand=curl x\n[b]\ncommand=cat ~/b\n", to: "config")
    }

    private func report(
        _ consent: SandboxConsent? = nil, trouble: String? = nil, isDryRun: Bool = false,
        isForNew: Bool = false, kind: DaemonStatus.Instance = .user, host: ImportSource = .i3blocks,
        path: String? = nil, directory: String? = nil
    ) throws -> ImportReport {
        let options = ImportOptions(
            host: host, path: path ?? configuration, directory: directory, isDryRun: isDryRun, consent: consent,
            isConsentForNew: isForNew)
        return ImportMode.report(options, try machine.instance(kind), sandboxTrouble: trouble)
    }

    private func dropIn(_ id: String, in directory: String = ".config/todayd/widgets") -> [String]? {
        let text = try? machine.home.read("\(directory)/\(id).widget.d/import.conf")
        return text.map { $0.split(separator: "\n").dropFirst(2).map(String.init) }
    }

    @Test func whatIsNewIsStrict() throws {
        let report = try report()
        #expect(report.count(.new) == 2 && report.sandboxes.map(\.outcome) == [.new, .new])
        #expect(report.sandboxes.map(\.source) == report.files.map(\.path))
        #expect(report.files.map(\.wishes) == [[.network: "curl"], [.files: "~/b"]])
        #expect(dropIn("import.i3blocks.a") == ["Level=strict"] && dropIn("import.i3blocks.b") == ["Level=strict"])
        var status = stat()
        #expect(stat(report.sandboxes[0].path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // todayd reads it.
        let path = machine.home(".config/todayd/widgets/import.i3blocks.a.widget")
        let entry = try #require(FileChecker(try machine.instance()).check(path).entry)
        #expect(entry.described?.sandbox.level == .strict)
    }

    @Test func consentCountsAlsoForWhatIsThere() throws {
        let first = try report(.wishes([.network]))
        #expect(first.sandboxes.count == 2 && dropIn("import.i3blocks.a") == ["Level=network"])
        #expect(dropIn("import.i3blocks.b") == ["Level=strict"])
        // Without a word, nothing changes.
        #expect(try report().sandboxes.isEmpty && dropIn("import.i3blocks.a") == ["Level=network"])
        let second = try report(.wishes([.files]))
        #expect(second.count(.unchanged) == 2 && second.sandboxes.count == 2)
        #expect(dropIn("import.i3blocks.a") == ["Level=strict"])
        #expect(dropIn("import.i3blocks.b") == ["Level=strict", "ReadPaths=-%h/b"])
        #expect(
            try report(.everything, trouble: "no bwrap").isComplete && dropIn("import.i3blocks.b") == ["Level=none"])
    }

    /// A yes to the question, which names the new programs, is about no other.
    @Test func anAnswerCountsForWhatIsNew() throws {
        let first = try report()
        unlink(first.files[0].path)
        let second = try report(.everyWish, isForNew: true)
        #expect(second.sandboxes.map(\.source) == [first.files[0].path])
        #expect(dropIn("import.i3blocks.a") == ["Level=network"] && dropIn("import.i3blocks.b") == ["Level=strict"])
    }

    @Test func whatWasWrittenByHandGetsNone() throws {
        _ = try report()
        for name in ["a", "b"] {
            unlink(machine.home(".config/todayd/widgets/import.i3blocks.\(name).widget.d/import.conf"))
        }
        #expect(try report().sandboxes.isEmpty && dropIn("import.i3blocks.a") == nil)
    }

    /// A new program does not get what another of its name was allowed.
    @Test func consentIsForOneProgram() throws {
        let first = try report(.everything)
        #expect(dropIn("import.i3blocks.a") == ["Level=none"])
        unlink(first.files[0].path)
        #expect(try report(isDryRun: true).sandboxes.count == 1 && dropIn("import.i3blocks.a") == ["Level=none"])
        let second = try report()
        #expect(second.count(.new) == 1 && second.sandboxes.map(\.outcome) == [.new])
        #expect(dropIn("import.i3blocks.a") == ["Level=strict"] && dropIn("import.i3blocks.b") == ["Level=none"])
        #expect(try machine.home.names(in: ".config/todayd/widgets/import.i3blocks.a.widget.d") == ["import.conf"])
        // A sandbox that cannot be replaced keeps the program out.
        unlink(first.files[0].path)
        let path = machine.home(".config/todayd/widgets/import.i3blocks.a.widget.d/import.conf")
        unlink(path)
        try machine.home.write("x", to: ".config/todayd/widgets/import.i3blocks.a.widget.d/import.conf/x")
        let third = try report()
        #expect(third.count(.failed) == 1 && third.files[0].reason?.contains("cannot be written") == true)
    }

    @Test func aDryRunSaysWhatItWouldWrite() throws {
        let report = try report(isDryRun: true)
        #expect(report.sandboxes.allSatisfy { $0.text?.hasSuffix("[Sandbox]\nLevel=strict\n") == true })
        #expect(report.sandboxes.count == 2 && machine.names("widgets").isEmpty)
    }

    /// Without a sandbox, nothing is imported but by the word of the user.
    @Test func aSandboxThatCannotBeMadeIsARefusal() throws {
        let refused = try report(trouble: "no bwrap")
        #expect(refused.failure?.reason == "no bwrap; --allow all imports without a sandbox")
        #expect(refused.count(.failed) == 2 && machine.names("widgets").isEmpty && refused.sandboxTrouble == "no bwrap")
        let dry = try report(trouble: "no bwrap", isDryRun: true)
        #expect(dry.failure == nil && dry.sandboxTrouble == "no bwrap" && dry.count(.new) == 2)
        let refusedAgain = try report(.everyWish, trouble: "no bwrap")
        #expect(refusedAgain.failure != nil)
        let allowed = try report(.everything, trouble: "no bwrap")
        #expect(allowed.failure == nil && allowed.sandboxTrouble == nil && allowed.count(.new) == 2)
        #expect(try report(trouble: "no bwrap").count(.unchanged) == 2, "what is there stays")
    }

    /// No program is there without its sandbox.
    @Test func aSandboxThatCannotBeWrittenKeepsTheProgramOut() throws {
        try machine.home.write("", to: ".config/todayd/widgets/import.i3blocks.a.widget.d")
        let report = try report()
        #expect(report.files.map(\.outcome) == [.failed, .new] && report.failure == nil)
        #expect(report.files[0].reason?.hasPrefix("its sandbox \(machine.home(".config"))") == true)
        #expect(!machine.names("widgets").contains("import.i3blocks.a.widget"))
    }

    @Test func pluginsHaveTheirsBesideTheManifests() throws {
        let plugin = try machine.home.write("#!/bin/sh\nplayerctl\n", to: "from/song.5s.sh", mode: 0o755)
        let report = try report(host: .plugins, path: plugin)
        #expect(report.files.map(\.wishes) == [[.session: "playerctl"]] && dropIn("plugin.song") == ["Level=strict"])
        // Elsewhere no todayd reads a drop-in.
        let other = try self.report(host: .plugins, path: plugin, directory: machine.home("there"))
        #expect(other.sandboxes.isEmpty && other.count(.new) == 1)
        #expect(other.remarks.contains { $0.text.contains("no sandbox") })
        let manifests = try self.report(directory: machine.home("there"))
        #expect(manifests.sandboxes.count == 2 && dropIn("import.i3blocks.a", in: "there") == ["Level=strict"])
    }

    @Test func aReportReadsBack() throws {
        var report = try report(.everyWish)
        report.sandboxTrouble = "none"
        #expect(try ImportReport(JSONField(root: report.json)) == report)
    }

    @Test func bubblewrapIsTried() throws {
        #expect(SandboxTrial.trouble(["PATH": machine.home.path])?.contains("apt install bubblewrap") == true)
        // As on Ubuntu 24.04, whose kernel this machine does not have.
        let message = "bwrap: setting up uid map: Permission denied"
        for (script, words) in [("exit 1", "it does not say why"), ("echo '\(message)' >&2; exit 1", message)] {
            try machine.home.script("#!/bin/sh\n\(script)\n", to: "bwrap")
            let trouble = SandboxTrial.trouble(["PATH": machine.home.path])
            #expect(trouble?.hasPrefix("bubblewrap cannot make a sandbox here: \(words)") == true)
            #expect(trouble?.hasSuffix("todayd.widget(5))") == (words == message))
        }
        try machine.home.write("#!/bin/sh\nexit 0\n", to: "bwrap", mode: 0o755)
        #expect(SandboxTrial.trouble(["PATH": machine.home.path]) == nil)
    }
}

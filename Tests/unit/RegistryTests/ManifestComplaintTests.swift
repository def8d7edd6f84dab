// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

/// Each wrong value makes the widget invalid, and says where and why.
@Suite struct ManifestComplaintTests {
    private func reading(of text: String) throws -> ManifestReader.Reading {
        let file = UnitFile(path: "m", bytes: Array(text.utf8), sections: ManifestReader.sections)
        return ManifestReader(uid: { _ in nil }).read(try #require(WidgetID("org.example.btc")), [file]) { "/here" }
    }

    @Test(
        arguments: [
            (
                "[Widget]\nIcon=/usr/share/icons/hicolor/48x48/apps/org.example.some-application.png",
                "Icon=: is longer than 64 bytes"
            ),
            ("[Widget]\nDisplayName=a\u{1b}[31m", "DisplayName=: contains a terminal escape sequence"),
            (
                "[Widget]\nExtensionPoint=today statusbar",
                "ExtensionPoint=: \"statusbar\" is unknown; did you mean status-bar?"
            ),
            (
                "[Widget]\nExtensionPoint=desktop",
                "ExtensionPoint=: \"desktop\" is unknown; known are today, lock-screen, status-bar"
            ),
            (
                "[Widget]\nLargestDisplayMode=big",
                "LargestDisplayMode=: \"big\" is unknown; known are compact, expanded"
            ),
            ("[Widget]\nContainingApp=app", "ContainingApp=: \"app\" is not an identifier such as org.example.name"),
            (
                "[Widget]\nAppGroups=a.b-c a.b.c",
                "AppGroups=: a.b-c and a.b.c would have one variable, TODAY_GROUP_DIRECTORY_A_B_C"
            ),
            (
                "[Widget]\nAppGroups=a.b ../c",
                "AppGroups=: \"../c\" is not an identifier such as group.org.example.name"
            ),
            (
                "[Widget]\nAppUser=nobody-here",
                "AppUser=: there is no user \"nobody-here\" in /etc/passwd; write the uid of a user from elsewhere"
            ),
            ("[Widget]\nAppUser=4294967295", "AppUser=: 4294967295 is not a uid"),
            (
                "[Widget]\nURLSchemes=JavaScript",
                "URLSchemes=: \"JavaScript\": what such a URL holds is run by what opens it, so that no widget may have it opened"
            ),
            (
                "[Widget]\nURLSchemes=http:",
                "URLSchemes=: \"http:\" is not a URL scheme (letters, digits, + - . and no colon)"
            ),
            ("[Update]\nProtocol=jsn", "Protocol=: \"jsn\" is unknown; did you mean json?"),
            (
                "[Update]\nInterval=soon",
                "Interval=: \"soon\" is not a length of time, such as 90, 30s or 1min 30s"
            ),
            ("[Update]\nStream=perhaps", "Stream=: \"perhaps\" is neither yes nor no"),
            (
                "[Update]\nStream=yes\nProtocol=varlink",
                "Stream=: a program with Protocol=varlink stays anyway; remove Stream="
            ),
            ("[Update]\nInterval=-5", "Interval=: \"-5\" is not a length of time, such as 90, 30s or 1min 30s"),
            ("[Update]\nInterval=500ms", "Interval=: 500ms is shorter than 1s"),
            ("[Update]\nTimeout=0", "Timeout=: 0 is shorter than 1ms"),
            (
                "[Update]\nTimeout=infinity",
                "Timeout=: \"infinity\" is not a length of time, such as 90, 30s or 1min 30s"
            ),
            ("[Update]\nUpdateOnAppear=500ms", "UpdateOnAppear=: 500ms is shorter than 1s"),
            (
                "[Update]\nUpdateOnAppear=always",
                "UpdateOnAppear=: \"always\" is not a length of time, such as 90, 30s or 1min 30s"
            ),
            ("[Update]\nUpdateOnAppear=yes", "UpdateOnAppear=: yes is too little: say how old, such as 1min, or no"),
            ("[Update]\nEnvironment=A", "Environment=: \"A\" is not NAME=value"),
            ("[Update]\nEnvironment=1A=x", "Environment=: \"1A\" is not the name of a variable"),
            ("[Update]\nEnvironment=A-B=x", "Environment=: \"A-B\" is not the name of a variable"),
            ("[Update]\nEnvironment==x", "Environment=: \"\" is not the name of a variable"),
            ("[Update]\nEnvironment=TODAY_REASON=x", "Environment=: TODAY_REASON: names in TODAY_ are the daemon's"),
            ("[Update]\nEnvironment=\"A=b", "Environment=: the quote \" is not closed"),
            (
                "[Update]\nExecStart=bin/btc",
                "ExecStart=: \"bin/btc\" is a relative path; write ./bin/btc for /here/bin/btc, or the whole path"
            ),
            ("[Update]\nExecStart=/bin/x '", "ExecStart=: the quote ' is not closed"),
            ("[Limits]\nMemoryMax=lots", "MemoryMax=: \"lots\" is not a size in bytes, such as 1048576, 512K or 64M"),
            ("[Limits]\nMemoryMax=0", "MemoryMax=: a limit of nothing"),
            ("[Limits]\nTasksMax=0", "TasksMax=: \"0\" is not a number from 1 to 1000000"),
            ("[Limits]\nTasksMax=many", "TasksMax=: \"many\" is not a number from 1 to 1000000"),
            (
                "[Limits]\nCPUQuota=20",
                "CPUQuota=: \"20\" is not a part of a processor, such as 20% or, of two, 200%"
            ),
            (
                "[Limits]\nCPUQuota=0%",
                "CPUQuota=: \"0%\" is not a part of a processor, such as 20% or, of two, 200%"
            ),
            ("[Limits]\nOutputMax=1G", "OutputMax=: 1G is more than 1M"),
            ("[Limits]\nOutputMax=infinity", "OutputMax=: infinity is more than 1M"),
            ("[Sandbox]\nNetwork=perhaps", "Network=: \"perhaps\" is neither yes nor no"),
            (
                "[Sandbox]\nReadPaths=here",
                "ReadPaths=: \"here\" is not an absolute path below / without .. (%h is the home)"
            ),
            (
                "[Sandbox]\nWritePaths=/",
                "WritePaths=: \"/\" is not an absolute path below / without .. (%h is the home)"
            ),
            (
                "[Sandbox]\nDevices=-/dev/../etc",
                "Devices=: \"-/dev/../etc\" is not an absolute path below / without .. (%h is the home)"
            ),
        ])
    func aWrongValueIsNamedWithItsPlace(text: String, reason: String) throws {
        let reading = try self.reading(of: "[Update]\nExecStart=/bin/x\n" + text)
        #expect(reading.manifest == nil)
        #expect(reading.complaints.map(\.description) == ["m:4: \(reason)"])
        #expect(reading.complaints.first?.severity == .error)
    }

    @Test func withoutAProgramThereIsNoStream() throws {
        let reading = try self.reading(of: "[Update]\nStream=yes\nProtocol=push")
        #expect(reading.manifest == nil)
        #expect(reading.complaints.map(\.description) == ["m:2: Stream=: there is no program with Protocol=push"])
    }

    @Test func aHeapOfComplaintsIsBounded() throws {
        let text = "[Update]\nExecStart=/bin/x\nInterval=" + String(repeating: "x", count: 30_000) + "\n"
        let all = try reading(of: text + String(repeating: "Key=1\n", count: 3_000)).complaints
        #expect(all.count == 3_001)
        let complaints = Complaint.bounded(all.reversed(), in: "m")
        #expect(complaints.count == 21)
        #expect(complaints.first?.severity == .error)
        #expect(complaints.first?.reason.utf8.count ?? 0 < 310)
        #expect(complaints.last?.description == "m: and 2981 more complaints")
        #expect(Complaint.bounded(Array(all.prefix(20)), in: "m") == Array(all.prefix(20)))
        #expect(Complaint.bounded(all.prefix(20).reversed(), in: "m").map(\.line) == [3] + (4...22).reversed())
    }

    @Test(arguments: ["Key=a", "[a", "[Update]\nExecStart=/bin/x \\u0301"])
    func aHeapOfCombiningMarksIsAComplaint(beginning: String) throws {
        let marks = beginning.hasSuffix("\\u0301") ? "\\u0301" : "\u{315}\u{300}"
        let reading = try self.reading(of: "[Update]\n" + beginning + String(repeating: marks, count: 5_000))
        #expect(reading.manifest == nil)
        #expect(reading.complaints.contains { $0.reason.hasSuffix("more than 30 combining marks on one letter") })
    }

    @Test func appGroupsAreBounded() throws {
        let groups = (0..<33).map { "group.g\($0)" }.joined(separator: " ")
        let reading = try self.reading(of: "[Update]\nExecStart=/x\n[Widget]\nAppGroups=\(groups)")
        #expect(reading.complaints.map(\.description) == ["m:4: AppGroups=: more than 32 of them"])
    }

    @Test func allMistakesAreNamedAtOnce() throws {
        #expect(try reading(of: "[Update]\nInterval=x\nTimeout=y\nrubbish\n").complaints.map(\.line) == [4, 2, 3])
    }

    @Test(arguments: ["", "[Update]\nInterval=5min\n", "[Update]\nExecStart=/bin/x\nExecStart=\n"])
    func aWidgetWithoutAProgramIsInvalid(text: String) throws {
        let reading = try self.reading(of: text)
        #expect(reading.complaints.map(\.description) == ["m: ExecStart= is missing: there is no program to run"])
    }
}

// SPDX-License-Identifier: MIT

import ClientTestSupport
import Files
import Platform
import TestSupport
import Testing
import TodayModel

@testable import Commands
@testable import Link

@Suite struct PushManifestTests {
    private static let places = ManifestPlaces(EnvironmentVariables { _ in nil }, uid: 1_000)

    @Test(
        arguments: [
            ("ci", "/home/me/.config/todayd/widgets/local.ci.widget", "ci"),
            ("org.example.ci", "/home/me/.config/todayd/widgets/org.example.ci.widget", "ci"),
            ("a b", nil, ""), ("-x", nil, ""), ("", nil, ""), ("../x", nil, ""),
        ] as [(String, String?, String)])
    func theManifestLiesInTheFirstDirectory(word: String, path: String?, name: String) throws {
        let directory = "/home/me/.config/todayd/widgets"
        let manifest = PushManifest(word, for: Wire.daemon(reads: [directory, "/usr/share/todayd/widgets"]))
        #expect(manifest?.path == path)
        if let manifest { #expect(manifest.displayName == name && manifest.lines[1] == "DisplayName=\(name)") }
        #expect(PushManifest(word, for: Wire.daemon(reads: [])) == nil)
    }

    @Test func oneForTheFleetSaysSo() throws {
        let daemon = Wire.daemon(reads: ["/w"])
        let manifest = try #require(PushManifest("ci", for: daemon, isForFleet: true))
        #expect(manifest.lines.suffix(3) == ["Protocol=push", "[Fleet]", "Scope=fleet"])
        #expect(PushManifest("ci", for: daemon)?.lines.last == "Protocol=push")
    }

    @Test(arguments: [
        (DaemonStatus.Instance.user, 1_000 as UInt32, ""), (.system, 1_000, " as root"), (.system, 0, ""),
    ])
    func theOfferIsAManifestToSave(instance: DaemonStatus.Instance, uid: UInt32, who: String) throws {
        let manifest = try #require(PushManifest("ci", for: Wire.daemon(instance, reads: ["/etc/todayd/widgets"])))
        let offer = manifest.offer(ManifestPlaces(EnvironmentVariables { _ in nil }, uid: uid))
        let path = "/etc/todayd/widgets/local.ci.widget"
        #expect(offer.hasPrefix("\nTo have one, save this\(who) as \(path), which --create does:\n    [Widget]\n"))
    }

    /// Another user's todayd is the remedy only if this one may not write.
    @Test func aDirectoryThatCannotBeIsNoMatterOfRights() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "file")
        let manifest = try #require(PushManifest("ci", for: Wire.daemon(.system, reads: [directory("file/widgets")])))
        do {
            try manifest.write(Self.places, isStartedByRoot: false)
            Issue.record("written")
        } catch {
            #expect(error.code != .notPermitted && !error.description.contains("systemctl"), "\(error)")
        }
    }

    @Test func anExistingManifestIsNotOverwritten() throws {
        let directory = TemporaryDirectory()
        let manifest = try #require(PushManifest("ci", for: Wire.daemon(reads: [directory("new/widgets")])))
        try manifest.write(Self.places, isStartedByRoot: false)
        #expect(
            try directory.read("new/widgets/local.ci.widget") == "[Widget]\nDisplayName=ci\n[Update]\nProtocol=push\n")
        try directory.write("mine", to: "new/widgets/local.ci.widget")
        do {
            try manifest.write(Self.places, isStartedByRoot: false)
            Issue.record("written over")
        } catch {
            #expect(error.description.contains("already exists; not overwritten"))
        }
        #expect(try directory.read("new/widgets/local.ci.widget") == "mine")
    }

    @Test(arguments: [DaemonStatus.Instance.user, .system]) func aDirectoryThatCannotBeMadeIsReported(
        instance: DaemonStatus.Instance
    ) throws {
        // In /proc root cannot make a directory either.
        let manifest = try #require(PushManifest("ci", for: Wire.daemon(instance, reads: ["/proc/today"])))
        do {
            try manifest.write(Self.places, isStartedByRoot: false)
            Issue.record("written")
        } catch {
            #expect(error.description.hasPrefix("cannot make the directory /proc/today: "))
        }
    }

    /// A todayd that an attacker or another user controls cannot make root write elsewhere, whatever instance it claims to be.
    @Test(arguments: [(0 as UInt32, false, false), (0, true, true), (1_000, false, true)])
    func rootWritesOnlyIntoUsualDirectories(uid: UInt32, isStartedByRoot: Bool, isWritten: Bool) throws {
        let directory = TemporaryDirectory()
        for instance in [DaemonStatus.Instance.user, .system] {
            let manifest = try #require(
                PushManifest("ci", for: Wire.daemon(instance, reads: [directory("\(instance)")])))
            do {
                let places = ManifestPlaces(EnvironmentVariables { _ in nil }, uid: uid)
                try manifest.write(places, isStartedByRoot: isStartedByRoot)
                #expect(isWritten)
            } catch {
                #expect(!isWritten)
                #expect(error.description.contains("none of its usual directories"))
            }
            #expect(Paths.exists(directory("\(instance)")) == isWritten)
        }
        let relative = try #require(PushManifest("ci", for: Wire.daemon(reads: ["widgets"])))
        let places = ManifestPlaces(EnvironmentVariables { _ in nil }, uid: 0)
        #expect(throws: ClientError.self) { try relative.write(places, isStartedByRoot: true) }
    }
}

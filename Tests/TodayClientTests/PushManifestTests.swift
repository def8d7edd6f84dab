// SPDX-License-Identifier: MIT

import Files
import Glibc
import TestSupport
import Testing
import TodayModel

@testable import TodayClient

/// The manifest of a widget that gets its content by pushes.
@Suite struct PushManifestTests {
    private static func daemon(_ directories: [String], _ instance: DaemonStatus.Instance = .user) -> DaemonStatus {
        var daemon = DaemonStatus(
            version: "1", instance: instance, pid: 1, started: WallTime(microseconds: 0), socket: "/s",
            stateDirectory: "/")
        daemon.widgetDirectories = directories
        return daemon
    }

    private static let endpoint = Endpoint(path: "/s", kind: .user)
    private static let places = ManifestPlaces(Environment { _ in nil }, uid: 1_000)

    @Test(
        arguments: [
            ("ci", "/home/me/.config/todayd/widgets/local.ci.widget", "ci"),
            ("org.example.ci", "/home/me/.config/todayd/widgets/org.example.ci.widget", "ci"),
            ("a b", nil, ""), ("-x", nil, ""), ("", nil, ""), ("../x", nil, ""),
        ] as [(String, String?, String)])
    func itsPlaceIsTheFirstDirectory(word: String, path: String?, name: String) throws {
        let directory = "/home/me/.config/todayd/widgets"
        let manifest = PushManifest(word, for: Self.daemon([directory, "/usr/share/todayd/widgets"]))
        #expect(manifest?.path == path)
        if let manifest { #expect(manifest.name == name && manifest.lines[1] == "DisplayName=\(name)") }
        #expect(PushManifest(word, for: Self.daemon([])) == nil)
    }

    @Test(arguments: [
        (DaemonStatus.Instance.user, 1_000 as UInt32, ""), (.system, 1_000, " as root"), (.system, 0, ""),
    ])
    func theOfferIsAManifestToSave(instance: DaemonStatus.Instance, uid: UInt32, who: String) throws {
        let manifest = try #require(PushManifest("ci", for: Self.daemon(["/etc/todayd/widgets"], instance)))
        let offer = manifest.offer(ManifestPlaces(Environment { _ in nil }, uid: uid))
        let path = "/etc/todayd/widgets/local.ci.widget"
        #expect(offer.hasPrefix("\nTo have one, save this\(who) as \(path), which --create does:\n    [Widget]\n"))
    }

    @Test func whatIsThereStaysAsItIs() throws {
        let directory = TemporaryDirectory()
        let manifest = try #require(PushManifest("ci", for: Self.daemon([directory("new/widgets")])))
        try manifest.write(Self.places, asToldAt: Self.endpoint)
        #expect(
            try directory.read("new/widgets/local.ci.widget") == "[Widget]\nDisplayName=ci\n[Update]\nProtocol=push\n")
        try directory.write("mine", to: "new/widgets/local.ci.widget")
        do {
            try manifest.write(Self.places, asToldAt: Self.endpoint)
            Issue.record("written over")
        } catch {
            #expect(error.description.contains("is there and stays as it is"))
        }
        #expect(try directory.read("new/widgets/local.ci.widget") == "mine")
    }

    @Test(arguments: [DaemonStatus.Instance.user, .system]) func aDirectoryThatCannotBeMadeSaysWhy(
        instance: DaemonStatus.Instance
    ) throws {
        // Not even root makes a directory there.
        let manifest = try #require(PushManifest("ci", for: Self.daemon(["/proc/today"], instance)))
        do {
            try manifest.write(Self.places, asToldAt: Self.endpoint)
            Issue.record("written")
        } catch {
            #expect(error.description.hasPrefix("cannot make the directory /proc/today: "))
        }
    }

    /// A todayd that was taken over, or is another user's, does not make root write elsewhere, whatever it says that it is.
    @Test(arguments: [
        (Endpoint.Kind.system, 0 as UInt32, false), (.user, 0, false), (.given, 0, false), (.system, 1_000, true),
        (.given, 1_000, true),
    ])
    func rootWritesWhereManifestsAreUsual(kind: Endpoint.Kind, uid: UInt32, isWritten: Bool) throws {
        let directory = TemporaryDirectory()
        for instance in [DaemonStatus.Instance.user, .system] {
            let manifest = try #require(PushManifest("ci", for: Self.daemon([directory("\(instance)")], instance)))
            do {
                let places = ManifestPlaces(Environment { _ in nil }, uid: uid)
                try manifest.write(places, asToldAt: Endpoint(path: directory("none"), kind: kind))
                #expect(isWritten)
            } catch {
                #expect(!isWritten)
                #expect(error.description.contains("none of its usual directories"))
            }
            #expect(Paths.exists(directory("\(instance)")) == isWritten)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root makes what is root's"))
    func rootWritesWhereItsOwnDaemonReads() throws {
        let directory = TemporaryDirectory()
        try directory.write("", to: "socket")
        let places = ManifestPlaces(Environment { _ in nil }, uid: 0)
        let endpoint = Endpoint(path: directory("socket"), kind: .given)
        let manifest = try #require(PushManifest("ci", for: Self.daemon([directory("widgets")])))
        try manifest.write(places, asToldAt: endpoint)
        #expect(Paths.exists(directory("widgets/local.ci.widget")))
        let relative = try #require(PushManifest("ci", for: Self.daemon(["widgets"])))
        #expect(throws: ClientError.self) { try relative.write(places, asToldAt: endpoint) }
        #expect(chown(directory("socket"), 65_534, 65_534) == 0)
        let other = try #require(PushManifest("ci", for: Self.daemon([directory("other")])))
        #expect(throws: ClientError.self) { try other.write(places, asToldAt: endpoint) }
        #expect(!Paths.exists(directory("other")))
    }
}

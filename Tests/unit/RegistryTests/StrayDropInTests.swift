// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// Drop-ins of no widget, and the drop-ins that a widget was read with.
@Suite struct StrayDropInTests {
    private let directory = TemporaryDirectory()
    private static let push = "[Update]\nProtocol=push\n"

    init() { TestLoop.start() }

    @LoopActor private func start() throws -> Registry {
        let registry = try Registry(
            searchPath: SearchPath(widgetDirectories: [directory("a/widgets"), directory("b/widgets")]))
        registry.reload()
        return registry
    }

    @LoopActor private func reasons(_ registry: Registry) -> [String] {
        registry.complaints.map { $0.description.replacing(directory.path + "/", with: "") }
    }

    @Test @LoopActor func aMisspeltOneIsComplainedOf() throws {
        try directory.write(Self.push, to: "a/widgets/org.example.btc.widget")
        try directory.script("#!/bin/sh", to: "a/plugins/cpu.5m.sh")
        let names = ["org.example.bct", "org.example.btc", "plugin.cpu", "plugin.cpv", "btc", "org.other.thing"]
        for name in names { try directory.write("[Widget]\n", to: "b/widgets/\(name).widget.d/x.conf") }
        // It may be added.
        try directory.write(Self.push, to: "b/optional/org.example.agenda.widget")
        try directory.makeDirectory("a/widgets/org.example.agenda.widget.d")
        try directory.makeDirectory("a/widgets/.hidden.widget.d")
        let registry = try start()
        func complaint(_ name: String, _ hint: String) -> String {
            "b/widgets/\(name).widget.d: changes no widget: there is no \(name); \(hint)"
        }
        #expect(
            reasons(registry) == [
                complaint("btc", "did you mean org.example.btc.widget.d?"),
                complaint("org.example.bct", "did you mean org.example.btc.widget.d?"),
                complaint("org.other.thing", "rename it, or remove it"),
                complaint("plugin.cpv", "did you mean plugin.cpu.widget.d?"),
            ])
    }

    @Test @LoopActor func theComplaintFollowsChanges() async throws {
        try directory.makeDirectory("a/widgets")
        let registry = try start()
        try directory.makeDirectory("a/widgets/org.example.btc.widget.d")
        try await eventually("the complaint") { reasons(registry).count == 1 }
        try directory.write(Self.push, to: "a/widgets/org.example.btc.widget")
        try await eventually("its end") { reasons(registry).isEmpty }
        try directory.delete("a/widgets/org.example.btc.widget")
        try await eventually("the complaint again") { reasons(registry).count == 1 }
        #expect(rmdir(directory("a/widgets/org.example.btc.widget.d")) == 0)
        try await eventually("the end of all") { reasons(registry).isEmpty }
        try directory.makeDirectory("a/widgets/btc.widget.d")
        try await eventually("the complaint about no identifier") { reasons(registry).count == 1 }
    }

    @Test @LoopActor func anEntryNamesTheDropInsOfItsWidget() throws {
        try directory.write(Self.push, to: "b/widgets/org.example.btc.widget")
        try directory.script("#!/bin/sh", to: "b/plugins/cpu.5m.sh")
        try directory.write("", to: "b/widgets/org.example.masked.widget")
        for (place, name) in [("b", "1.conf"), ("a", "2.conf"), ("a", "no.txt")] {
            for id in ["org.example.btc", "plugin.cpu", "org.example.masked"] {
                try directory.write("[Widget]\n", to: "\(place)/widgets/\(id).widget.d/\(name)")
            }
        }
        let registry = try start()
        for id in ["org.example.btc", "plugin.cpu"] {
            let dropIns = WidgetID(id).flatMap { registry.widgets[$0] }?.dropIns
            #expect(
                dropIns == [
                    directory("b/widgets/\(id).widget.d/1.conf"), directory("a/widgets/\(id).widget.d/2.conf"),
                ])
        }
        #expect(WidgetID("org.example.masked").flatMap { registry.widgets[$0] }?.dropIns == [])
    }
}

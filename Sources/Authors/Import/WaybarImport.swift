// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel

/// The custom modules of a Waybar.
enum WaybarImport {
    private static let prefix = "custom/"

    static func read(_ path: String, _ notes: inout ImportNotes) {
        let bars = WaybarConfiguration.bars(at: path, &notes)
        // A file that others include has modules but no lists of them.
        let listed = bars.map(WaybarLists.init)
        let hasLists = listed.contains { !$0.isEmpty }
        var seen: [SpelledText: [JSON]] = [:]
        for (bar, lists) in zip(bars, listed) {
            for member in bar.members where member.key.hasPrefix(prefix) {
                let key = SpelledText(member.key)
                // Two bars often show the same module; todayd runs it once.
                if seen[key, default: []].contains(member.value) { continue }
                guard !hasLists || lists.contains(member.key) else {
                    notes.remark(.note, at: member.origin, "\(member.key) is in no list of modules; it is not imported")
                    continue
                }
                seen[key, default: []].append(member.value)
                add(member, &notes)
            }
        }
        remarkOnOthers(bars, listed, &notes)
    }

    /// Remarks on modules that Waybar has itself, and on modules that lists name but no file defines.
    private static func remarkOnOthers(_ bars: [WaybarBar], _ listed: [WaybarLists], _ notes: inout ImportNotes) {
        var seen: Set<SpelledText> = []
        for (bar, lists) in zip(bars, listed) {
            for (module, origin) in lists.modules where seen.insert(SpelledText(module)).inserted {
                let place = bar[module]?.origin ?? origin
                if !module.hasPrefix(prefix) {
                    let object = bar[module]?.value.objectValue
                    let text = BundledWidget.remark(about: module, of: "Waybar") { object?[$0] }
                    notes.remark(.note, at: place, text)
                } else if bar[module] == nil {
                    notes.remark(.error, at: place, "\(module) is listed, and there is no such module")
                }
            }
        }
    }

    private static func add(_ member: WaybarBar.Member, _ notes: inout ImportNotes) {
        guard let object = member.value.objectValue else {
            notes.remark(.error, at: member.origin, "\(member.key) is \(member.value.kind), not a module")
            return
        }
        guard let command = object["exec"] else {
            notes.remark(.note, at: member.origin, "\(member.key) has no exec: it is a label without a program")
            return
        }
        var module = WaybarModule(name: member.key, origin: member.origin, object: object)
        guard let program = module.program(command) else {
            notes.remark(.error, at: member.origin, "\(member.key): exec is \(command.kind), not a command")
            return
        }
        // A module that shows a widget stays in Waybar with all its keys.
        if program.showsToday {
            notes.add(program)
            return
        }
        for remark in module.remarks { notes.remark(remark.kind, at: member.origin, "\(member.key): \(remark.text)") }
        if let id = notes.add(program) {
            let value = WaybarReplacement.object(for: object, of: program, showing: id, with: notes.client)
            notes.add(member.key, at: member.origin, replacedBy: value)
        }
    }
}

/// The modules that a bar shows, with the lines of their lists.
private struct WaybarLists {
    private(set) var modules: [(name: String, origin: Origin)] = []
    private var names: Set<SpelledText> = []

    var isEmpty: Bool { modules.isEmpty }

    func contains(_ module: String) -> Bool { names.contains(SpelledText(module)) }

    init(_ bar: WaybarBar) {
        var waiting: [(JSON, Origin)] = ["modules-right", "modules-center", "modules-left"].compactMap { key in
            bar[key].map { ($0.value, $0.origin) }
        }
        // A group is a module with a list of its own. Each name is visited once, so a group that contains itself does no harm.
        while let (list, origin) = waiting.popLast() {
            for name in (list.arrayValue ?? []).compactMap(\.stringValue) where names.insert(SpelledText(name)).inserted
            {
                if name.hasPrefix("group/"), let group = bar[name], let modules = group.value["modules"] {
                    waiting.append((modules, group.origin))
                } else {
                    modules.append((name, origin))
                }
            }
        }
    }
}

/// A module for Waybar's configuration that shows an imported widget in place of the module's program.
enum WaybarReplacement {
    /// Keys about the program, which todayd now runs. All others stay: they say how the module looks and what clicks do.
    private static let replaced: Set<String> = [
        "exec", "exec-if", "exec-on-event", "interval", "restart-interval", "return-type", "signal", "escape",
    ]

    /// - Parameter client: the program that shows the widget, with the options that choose its daemon.
    static func object(
        for module: JSONObject, of program: ImportedProgram, showing id: WidgetID, with client: String
    ) -> JSONObject {
        // The format of the module contains its symbol. The text is already markup. Waybar restarts a program that has ended.
        var object: JSONObject = [
            "exec": .string("\(client) bar waybar --no-icon \(id)"), "return-type": "json", "restart-interval": 5,
        ]
        for (key, value) in module where !replaced.contains(key) { object[key] = value }
        // Waybar runs such a module again after a click; a program that stays prints by itself.
        guard !program.isStream, module["exec-on-event"]?.boolValue != false else { return object }
        for (key, command) in program.comments where key.includes("click") || key.includes("scroll") {
            object[key] = .string(ShellCommand.sequence(command, "\(client) update --quiet \(id)"))
        }
        return object
    }
}

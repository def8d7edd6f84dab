// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

extension Integration {
    /// Where a widget is shown, how it looks there, and its menu.
    @Suite struct PlacePromiseTests {
        private static let counter = Widgets.script(
            "a", "echo run >> runs; echo \"number $(wc -l < runs)\"", widget: "ExtensionPoint=today status-bar")

        /// The lines of a bar that names the widget.
        private func bar(_ daemon: PrivateDaemon) throws -> String {
            try daemon.todayctl("show", "--output", "tmux", "a").output
        }

        @Test func hidingInOnePlaceLeavesTheOthers() throws {
            let daemon = try PrivateDaemon(widgets: Self.counter)
            try daemon.follow("a") { $0.state == .ready }
            #expect(try daemon.todayctl("disable", "--from", "today", "a").status == 0)
            #expect(try daemon.items().isEmpty && bar(daemon) == "number 1\n")
            #expect(try daemon.todayctl("show", "--point", "status-bar", "-o", "tmux").output == "number 1\n")
            #expect(try daemon.update("a").answer == .newData, "it goes on running")
            let words = try daemon.todayctl("status", "a").output
            #expect(
                words.contains(
                    "The user has hidden it from today; 'todayctl enable --on today org.test.a' shows it there."))
            #expect(words.contains("Shown in    status-bar\n") && words.contains("Made for    today, status-bar\n"))
            _ = try daemon.stop()
            try daemon.start()
            #expect(try daemon.items().isEmpty && daemon.item("a").places == [.statusBar], "it is kept")
            // The flag of its app is above all of it.
            #expect(try daemon.todayctl("set-has-content", "a", "false").status == 0)
            #expect(try bar(daemon) == "\n")
            #expect(try daemon.todayctl("set-has-content", "a", "true").status == 0)
            #expect(try daemon.todayctl("enable", "--on", "today", "a").status == 0)
            #expect(try daemon.items().map(\.id.text) == ["org.test.a"])
        }

        @Test func showingInAPlaceEnables() throws {
            let daemon = try PrivateDaemon(widgets: Self.counter)
            try daemon.follow("a") { $0.state == .ready }
            #expect(try daemon.todayctl("disable", "a").status == 0)
            #expect(try daemon.item("a").state == .disabled && bar(daemon) == "\n")
            #expect(try daemon.todayctl("enable", "--on", "today", "a").status == 0)
            #expect(try daemon.item("a").state == .ready)
            for point in ["today", "status-bar"] { try daemon.todayctl("disable", "--from", point, "a") }
            let words = try daemon.todayctl("status", "a").output
            #expect(
                words.contains(
                    "is not shown: the user has hidden it everywhere. 'todayctl enable --on today org.test.a' shows it."
                ))
            let refused = try daemon.todayctl("enable", "--on", "lock-screen", "a")
            #expect(refused.status == 8 && refused.errors.contains("is not for lock screens"), "\(refused)")
            #expect(try daemon.todayctl("enable", "--on", "page", "a").status == 2)
        }

        // MARK: The look

        @Test func aNameAndALabelRunNothing() throws {
            let daemon = try PrivateDaemon(widgets: Self.counter)
            try daemon.follow("a") { $0.state == .ready }
            let set = try daemon.todayctl("config", "a", "name=My count", "label=N", "bar-width=12", "Icon=🔢")
            #expect(set.status == 0, "\(set)")
            let item = try daemon.item("a")
            #expect(item.name == "My count" && item.content?.icon == "🔢" && item.content?.text == "number 1")
            #expect(try bar(daemon) == "🔢 N number 1\n")
            _ = try daemon.stop()
            try daemon.start()
            #expect(try daemon.item("a").name == "My count" && daemon.status("a").name == "My count")
            #expect(try daemon.status("a").history.count == 1, "no program has run for it")
            let listed = try daemon.todayctl("config", "a")
            #expect(
                listed.output.contains("Label") && listed.output.contains("N")
                    && listed.errors.contains("declares no settings"))
            #expect(try daemon.todayctl("config", "a", "--unset", "name", "--unset", "label").status == 0)
            #expect(try daemon.item("a").name == "Test" && bar(daemon) == "🔢 number 1 \n", "12 columns")
            for (word, reason) in [
                ("bar-width=wide", "BarWidth: \"wide\" is not a number"),
                ("click=jump", "Click: \"jump\" is not one of"),
                ("bar-color=red", "is neither #rrggbb nor"), ("bar-format={x}", "has {x}; there are {icon}"),
                ("name= ", "has no letters"), ("labels=x", "no setting \"labels\""),
            ] {
                let refused = try daemon.todayctl("config", "a", word)
                #expect(refused.status == 8 && refused.errors.contains(reason), "\(refused)")
            }
        }

        // MARK: The menu

        private static let menu = Widgets.script(
            "m",
            """
            [ -z "$TODAY_ACTION" ] || echo "$TODAY_ACTION" >> pressed
            printf '{"text": "m", "compact": {"type": "vstack", "children": [{"type": "button", "title": "Go", "action": "go"},
            {"type": "item", "title": "More", "children": [{"type": "item", "title": "Deep", "action": "deep"}]}]}}'
            """, update: "Interval=1h\nProtocol=json")

        @Test func aMenuDoesWhatIsChosen() throws {
            let daemon = try PrivateDaemon(widgets: Self.menu)
            try daemon.follow("m") { $0.state == .ready }
            // It chooses the submenu, and then what is in there.
            let picker = try daemon.directory.write(
                "#!/bin/sh\ncat > \"$0.lines\"\ngrep -m1 -e More -e Deep \"$0.lines\"\n", to: "picker", mode: 0o755)
            let chosen = try daemon.todayctl("menu", "--with", picker, "m")
            #expect(chosen.status == 0, "\(chosen)")
            #expect(try daemon.directory.read("state/widgets/org.test.m/pressed") == "deep\n")
            #expect(try daemon.directory.read("picker.lines") == "Deep\n")
            #expect(try daemon.todayctl("menu", "--with", "/bin/false", "m").status == 1)
            #expect(try daemon.todayctl("menu", "--with", picker, "nowhere").status == 4)
            let nowhere = try daemon.todayctl("menu", "m")
            #expect(nowhere.status == 8 && nowhere.errors.contains("--with names another"), "\(nowhere)")
            #expect(try daemon.todayctl("menu", "--with", "/nowhere/picker", "m").status == 8)
        }

        @Test func performPressesTheOnlyThingOrListsAll() throws {
            let one = Widgets.script(
                "one",
                "echo \"${TODAY_ACTION:-none}\" >> pressed; printf '{\"text\": \"x\", \"compact\": {\"type\": \"button\", \"title\": \"Go\", \"action\": \"go\"}}'",
                update: "Interval=1h\nProtocol=json")
            let daemon = try PrivateDaemon(widgets: Widgets.all(one, Self.menu, Self.counter))
            for name in ["one", "m", "a"] { try daemon.follow(name) { $0.state == .ready } }
            #expect(try daemon.todayctl("perform", "one").status == 0)
            #expect(try daemon.directory.read("state/widgets/org.test.one/pressed") == "none\ngo\n")
            #expect(try daemon.todayctl("expand", "m").status != 0)
            let nothing = try daemon.todayctl("perform", "a")
            #expect(nothing.status == 8 && nothing.errors.contains("shows nothing to press"), "\(nothing)")
        }
    }
}

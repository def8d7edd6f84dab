// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration {
    /// The promises of the documents, seen by clients: layers, timelines, ages, and no lost change.
    @Suite struct PromiseTests {
        /// Prints the number of its runs and its reason.
        private static let counting = """
            n=$(cat $TODAY_STATE_DIRECTORY/n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > $TODAY_STATE_DIRECTORY/n
            echo "$n $TODAY_REASON"
            """
        private static let group = "AppGroups=group.org.test"

        private static func date(in seconds: Int64) -> String {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return "\((Int64(now.tv_sec) + seconds) * 1_000_000)"
        }

        // MARK: Layers

        @Test func pushedContentAndTheOwnAnswerSurviveARestart() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counting))
            try daemon.follow("a") { $0.content?.text == "1 boot" }
            #expect(try daemon.todayctl("push", "a", "--text", "pushed").status == 0)
            try daemon.kill()
            try daemon.start()
            let item = try daemon.item("a")
            #expect(item.content?.text == "pushed" && item.source == .pushed)
            #expect(item.pushedBy == "user \(getuid())")
            // A run changes the layer below.
            #expect(try daemon.update("a").answer == .newData)
            #expect(try daemon.item("a").content?.text == "pushed")
            #expect(try daemon.todayctl("push", "a", "--unset").status == 0)
            #expect(try daemon.item("a").content?.text == "2 request")
            #expect(try daemon.status("a").activity.isRunning == false)
        }

        @Test func aTimelineChangesWithoutARunAndSurvivesARestart() throws {
            let content = """
                {"text": "now", "policy": "never", "timeline": [
                {"date": \(Self.date(in: 3)), "content": {"text": "soon"}},
                {"date": \(Self.date(in: 6)), "content": {"text": "later"}}]}
                """
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", "cat <<'END'\n\(content)\nEND", update: "Protocol=json\nInterval=1h"))
            var seen: [String] = []
            let connection = try VarlinkConnection(path: daemon.socket, timeout: .seconds(20))
            try connection.stream("org.todayd.Today.Show", ["id": "org.test.a"]) { reply in
                for field in try JSONField(root: .object(reply)).required("items").array() {
                    if let text = try Item(field).content?.text, seen.last != text { seen.append(text) }
                }
                return seen.last != "soon"
            }
            #expect(seen == ["now", "soon"])
            let soon = try daemon.item("a")
            #expect(soon.content?.timeline == nil)
            try daemon.killWithAllStored("a")
            try daemon.start()
            let later = try daemon.follow("a") { $0.content?.text == "later" }
            #expect(later.taken == soon.taken && !later.stale)
            let status = try daemon.status("a")
            #expect(status.activity.runs == 0 && status.history.count == 1)
            #expect(status.activity.waitingFor == "a change or a request: its timeline says never")
        }

        @Test func aButtonDoesNotMakeContentNewer() throws {
            let script = """
                [ -n "$TODAY_ACTION" ] && { echo '{"text":"pressed","compact":{"type":"button","title":"b","action":"b"}}'; exit; }
                [ -e $TODAY_STATE_DIRECTORY/ran ] && { echo broken >&2; exit 1; }
                touch $TODAY_STATE_DIRECTORY/ran
                echo '{"text":"good","compact":{"type":"button","title":"b","action":"b"}}'
                """
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", script, update: "Protocol=json\nInterval=1s"))
            let good = try daemon.follow("a") { $0.content?.text == "good" }
            let stale = try daemon.follow("a") { $0.stale }
            #expect(stale.state == .failing && stale.taken == good.taken)
            #expect(try daemon.todayctl("perform", "a", "b").status == 0)
            let pressed = try daemon.item("a")
            #expect(pressed.content?.text == "pressed")
            #expect(pressed.stale && pressed.state == .failing)
            #expect(pressed.taken == good.taken && pressed.confirmed == good.confirmed)
        }

        @Test func editingNeverReachesTheDisk() throws {
            let script = """
                case "$TODAY_EDITING" in
                begin) echo '{"text":"editor","compact":{"type":"button","title":"b","action":"b"}}' ;;
                continue) echo "{\\"text\\":\\"editor $TODAY_ACTION\\"}" ;;
                *) echo "{\\"text\\":\\"own ${TODAY_EDITING:-as usual}\\"}" ;;
                esac
                """
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", script, update: "Protocol=json\nInterval=1h", widget: "AllowsEditing=yes"))
            let own = try daemon.follow("a") { $0.content?.text == "own as usual" }
            #expect(!own.isEdited && own.source == .own)
            #expect(try daemon.todayctl("edit", "a").status == 0)
            var item = try daemon.item("a")
            #expect(item.content?.text == "editor" && item.isEdited && item.source == .draft)
            #expect(item.taken == own.taken)
            #expect(try daemon.todayctl("perform", "a", "b").status == 0)
            #expect(try daemon.item("a").content?.text == "editor b")
            try daemon.killWithAllStored("a")
            try daemon.start()
            item = try daemon.item("a")
            #expect(item.content?.text == "own as usual" && !item.isEdited)

            #expect(try daemon.todayctl("edit", "a").status == 0)
            #expect(try daemon.call("SetEditing", ["id": "org.test.a", "editing": false, "cancel": true]) != [:])
            item = try daemon.item("a")
            #expect(item.content?.text == "own cancel" && !item.isEdited)
            #expect(try daemon.todayctl("edit", "a").status == 0)
            #expect(try daemon.todayctl("edit", "--done", "a").status == 0)
            #expect(try daemon.item("a").content?.text == "own end")
            #expect(try daemon.item("a").taken == own.taken)
        }

        @Test func editingThatHasNotBegunCannotEnd() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "echo a $TODAY_EDITING", widget: "AllowsEditing=yes"))
            try daemon.follow("a") { $0.state == .ready }
            for end in ["--done", "--cancel"] {
                let refused = try daemon.todayctl("edit", end, "a")
                #expect(refused.status != 0 && refused.errors.contains("is not being edited"), "\(refused)")
            }
            #expect(try daemon.status("a").activity.runs == 1)
        }

        @Test func aPushDoesNotStopTheProgram() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counting, update: "Interval=1s"))
            try daemon.follow("a") { $0.content?.text == "2 schedule" }
            let pushed: JSON = [
                "text": "p", "policy": "never",
                "timeline": [["date": .string("2100-01-01T00:00:00Z"), "content": ["text": "q"]]],
            ]
            try daemon.call("Push", ["id": "org.test.a", "content": pushed, "ttl": 500_000])
            try daemon.follow("a") { $0.content?.text == "4 schedule" }
        }

        // MARK: No change is lost

        /// Pairs of commands: one keeps the widget from running, the other lets it run again.
        static let obstacles: [(hide: [String], show: [String])] = [
            (["set-has-content", "a", "false"], ["set-has-content", "a", "true"]),
            (["disable", "a"], ["enable", "a"]),
        ]

        @Test(arguments: obstacles, [false, true])
        func defaultsThatChangeMeanwhileReachAWidget(_ obstacle: (hide: [String], show: [String]), restarts: Bool)
            throws
        {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counting, widget: Self.group))
            try daemon.follow("a") { $0.content?.text == "1 boot" }
            #expect(try run("todayctl", ["--socket", daemon.socket] + obstacle.hide).status == 0)
            #expect(try daemon.todayctl("config", "--group", "group.org.test", "key=value").status == 0)
            if restarts {
                try daemon.kill()
                try daemon.start()
            }
            #expect(try daemon.status("a").activity.runs == (restarts ? 0 : 1))
            #expect(try run("todayctl", ["--socket", daemon.socket] + obstacle.show).status == 0)
            try daemon.follow("a") { $0.content?.text == "2 defaults" }
            // It does not run for the same change again.
            #expect(try daemon.update("a").answer == .newData)
            #expect(try daemon.item("a").content?.text == "3 request")
        }

        /// An app may have changed the files of the group meanwhile, and nothing tells.
        @Test func aWidgetWithAGroupRunsOnceAtEachStart() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.all(
                    Widgets.script("a", Self.counting, widget: Self.group), Widgets.script("b", Self.counting)))
            try daemon.follow("a") { $0.content?.text == "1 boot" }
            try daemon.follow("b") { $0.content?.text == "1 boot" }
            try daemon.stop()
            try daemon.start()
            try daemon.follow("a") { $0.content?.text == "2 defaults" }
            try daemon.follow("b") { $0.content?.text == "1 boot" }
            #expect(try daemon.todayctl("set-has-content", "a", "false").status == 0)
            try daemon.stop()
            try daemon.start()
            #expect(try daemon.todayctl("set-has-content", "a", "true").status == 0)
            try daemon.follow("a") { $0.content?.text == "3 defaults" }
        }

        // MARK: Hosts and sizes

        @Test func aHostThatLooksRenewsAnOldAnswer() async throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.all(
                    Widgets.script("a", Self.counting, update: "Interval=1h\nUpdateOnAppear=1s"),
                    Widgets.script("b", Self.counting)))
            try daemon.follow("a") { $0.content?.text == "1 boot" }
            let taken = try #require(try daemon.item("a").taken)
            try await eventually("a second later") {
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return Int64(now.tv_sec) * 1_000_000 > taken.microseconds + 2_200_000
            }
            // The host gets the snapshot first, and then the new content.
            var seen: [String] = []
            let connection = try VarlinkConnection(path: daemon.socket, timeout: .seconds(20))
            try connection.stream("org.todayd.Today.Show", ["id": "org.test.a"]) { reply in
                for field in try JSONField(root: .object(reply)).required("items").array() {
                    if let text = try Item(field).content?.text, seen.last != text { seen.append(text) }
                }
                return seen.count < 2
            }
            #expect(seen == ["1 boot", "2 appear"])
            try daemon.follow("b") { $0.content?.text == "1 boot" }
        }

        @Test func sizesFollowTodaydConf() throws {
            let script = #"echo "$TODAY_MAX_COLUMNS x $TODAY_MAX_ROWS"; for i in 2 3 4 5 6 7 8; do echo line $i; done"#
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", script), options: ["--config", "/dev/null"])
            let before = try daemon.follow("a") { $0.content?.text == "60 x 4" }
            #expect(before.size == Size(columns: 60, rows: 4) && before.content?.compact?.children.count == 8)
            try daemon.stop()
            let conf = try daemon.directory.write("[Daemon]\nColumns=40\nCompactRows=6\n", to: "todayd.conf")
            let other = try PrivateDaemon(widgets: Widgets.script("a", script), options: ["--config", conf])
            try other.follow("a") { $0.content?.text == "40 x 6" && $0.size == Size(columns: 40, rows: 6) }
            try daemon.directory.write("[Daemon]\nColumns=50\nCompactRows=3\n", to: "todayd.conf")
            try other.reload()
            let after = try other.follow("a") { $0.content?.text == "50 x 3" }
            #expect(after.size == Size(columns: 50, rows: 3) && after.content?.compact?.children.count == 8)
        }

        // MARK: Failure

        @Test func theTimeInAFailureReplacesTheInterval() throws {
            let said = #"{"failed": "rate limited", "nextUpdate": "16min"}"#
            let widgets = Widgets.all(
                Widgets.script("json", "echo '\(said)'", update: "Protocol=json\nInterval=5min"),
                Widgets.script("text", "echo '\(said)' >&2; exit 75", update: "Interval=5min"))
            let daemon = try PrivateDaemon(widgets: widgets)
            for name in ["json", "text"] {
                let item = try daemon.follow(name) { $0.state == .failing }
                #expect(item.failure == "rate limited")
                let status = try daemon.status(name)
                let next = try #require(status.activity.nextRun)
                let wait = next - (try #require(status.history.first)).started
                #expect((15 * 60...17 * 60).contains(wait.microseconds / 1_000_000))
                #expect(status.activity.waitingFor == "the time for which it asked after a failure")
            }
        }
    }
}

// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

extension Integration {
    /// `todayctl bar`, which lives as long as a bar does.
    @Suite struct RunningBarTests {
        private static let counter = """
            echo run >> runs
            echo "number $(wc -l < runs)"
            """

        private func bar(
            _ daemon: PrivateDaemon, _ arguments: String..., input: Int32? = nil
        ) throws -> BuiltProgram {
            try BuiltProgram("todayctl", ["--socket", daemon.socket, "bar"] + arguments, input: input)
        }

        private func text(_ line: String) throws -> String {
            try JSON.parse(Array(line.utf8))["text"]?.stringValue ?? ""
        }

        @Test func tenBarsShowOneRun() async throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            let bars = try (0..<10).map { _ in try bar(daemon, "waybar", "a") }
            for bar in bars { #expect(try text(bar.line()) == "number 1") }
            try await eventually("the subscribers") { try daemon.daemonStatus().subscribers == 10 }
            try daemon.update("a")
            for bar in bars { #expect(try text(bar.line()) == "number 2") }
            #expect(try daemon.status("a").activity.runs == 2)
        }

        @Test func itLivesThroughARestart() async throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            let bar = try bar(daemon, "waybar", "a")
            #expect(try text(bar.line()) == "number 1")
            try daemon.killWithAllStored("a")
            let lost = try JSON.parse(Array(bar.line().utf8))
            #expect(lost["text"] == "number 1", "the class dims it")
            #expect(lost["tooltip"]?.stringValue?.contains(" · stale, ") == true)
            #expect(lost["class"]?.arrayValue?.contains("stale") == true)
            try daemon.start()
            #expect(try text(bar.line()) == "number 1")
            try daemon.update("a")
            #expect(try text(bar.line { $0.contains("number 2") }) == "number 2")
        }

        @Test func itWaitsForATodaydThatIsNotThereYet() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter), started: false)
            let bar = try bar(daemon, "waybar", "a")
            #expect(try text(bar.line()) == "todayd ⚠")
            try daemon.start()
            #expect(try text(bar.line { $0.contains("number 1") }) == "number 1")
        }

        /// A bar stops its programs while nobody sees it, and continues them later.
        @Test func afterAStopOnlyTheNewestIsShown() async throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            let bar = try bar(daemon, "key", "a")
            #expect(try bar.line() == "number 1")
            bar.signal(SIGSTOP)
            for _ in 0..<5 { try daemon.update("a") }
            bar.signal(SIGCONT)
            #expect(try bar.line() == "number 6")
        }

        /// It writes on when its bar reads again, and has kept none of the states between.
        @Test func aBarThatDoesNotReadHoldsNobodyUp() throws {
            let manifest = "[Widget]\nDisplayName=A\n[Update]\nProtocol=push\n"
            let daemon = try PrivateDaemon(widgets: ["org.test.a.widget": manifest])
            func push(_ number: Int) throws {
                let tooltip = String(repeating: "x", count: 8_000)
                try daemon.call(
                    "Push",
                    [
                        "id": "org.test.a",
                        "content": ["text": .string("number \(number)"), "tooltip": .string(tooltip)],
                    ])
            }
            try push(0)
            let slow = try bar(daemon, "waybar", "a")
            let other = try bar(daemon, "key", "a")
            #expect(try other.line() == "number 0")
            // A pipe has room for 64 KiB, pipe(7).
            for number in 1...100 { try push(number) }
            _ = try other.line { $0 == "number 100" }
            var lines = 1
            while try text(slow.line()) != "number 100" { lines += 1 }
            #expect(lines < 50)
        }

        @Test func itEndsWithItsBar() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            let bar = try bar(daemon, "polybar", "a")
            _ = try bar.line()
            bar.closeOutput()
            // Nothing changes, and it ends all the same.
            #expect(bar.wait() == 0)
        }

        // MARK: Clicks

        private func click(_ button: Int, _ id: String = "org.test.a") -> String {
            #"{"name":"todayd","instance":"\#(id)","button":\#(button),"x":1,"y":2}"# + "\n,"
        }

        @Test func clicksOfI3barAreDone() async throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", Self.counter + "\necho and\necho more",
                    widget: "LargestDisplayMode=expanded\nExtensionPoint=status-bar"))
            try daemon.follow("a") { $0.state == .ready }
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let bar = try bar(daemon, "i3bar", input: ends[0])
            func send(_ text: String) {
                var text = text
                text.withUTF8 { _ = write(ends[1], $0.baseAddress, $0.count) }
            }
            #expect(try bar.line() == #"{"version":1,"click_events":true}"#)
            #expect(try bar.line() == "[")
            #expect(try bar.line().contains(#""full_text":"number 1""#))
            send("[\n" + click(3))
            try await eventually("the mode") { try daemon.item("a").mode == .expanded }
            send("garbage\n" + click(2, "org.test.unknown") + click(2))
            // The other mode is a reason to run, too, and a bar may miss one of two states.
            let second = try bar.line { !$0.contains(#""number 1""#) }
            #expect(second.hasSuffix("],"))
            // A thousand clicks at once start a few programs, and the bar goes on.
            for _ in 0..<1_000 { send(click(2)) }
            #expect(try bar.line { $0 != second }.hasSuffix("],"))
            // The daemon and the bar are left.
            try await eventually("the end of the clicks") { Processes.mentioning(daemon.socket).count == 2 }
            let runs = try daemon.status("a").activity.runs
            #expect(runs > 2 && runs < 100)
            // What has ended is waited for at once, or poll(2) would tell it again and again.
            try await eventually("no zombies") { system("! grep -q . /proc/\(bar.pid)/task/\(bar.pid)/children") == 0 }
            // A run that follows the clicks may come after this one, and a bar may miss one of two states.
            try daemon.update("a")
            func number(in text: String) -> Int? {
                text.firstRange(of: "number ").flatMap { Int(text[$0.upperBound...].prefix(while: \.isNumber)) }
            }
            let newest = try #require(number(in: daemon.item("a").content?.text ?? ""))
            #expect(try bar.line { number(in: $0) ?? 0 >= newest }.hasSuffix("],"))
        }

        /// A bar starts a program for the wheel, and all bars show the other summary.
        @Test func theWheelTurnsPages() async throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script(
                    "a", #"echo '{"text": "one", "pages": ["two", "three"]}'"#, update: "Protocol=json"))
            try daemon.follow("a") { $0.state == .ready }
            let variables = ["XDG_RUNTIME_DIR": daemon.directory.path]
            func start(_ kind: String) throws -> BuiltProgram {
                try BuiltProgram("todayctl", ["--socket", daemon.socket, "bar", kind, "a"], environment: variables)
            }
            let (waybar, key) = (try start("waybar"), try start("key"))
            #expect(try text(waybar.line()) == "one" && key.line() == "one")
            for (wheel, page) in [("down", "two"), ("down", "three"), ("down", "one"), ("up", "three")] {
                #expect(try daemon.todayctl("click", "a", wheel, environment: variables).status == 0)
                #expect(try text(waybar.line()) == page && key.line() == page)
            }
            waybar.signal(SIGKILL)
            _ = waybar.wait()
            #expect(try daemon.todayctl("click", "a", "--do", "next", environment: variables).status == 0)
            #expect(try key.line() == "one")
            key.closeOutput()
            #expect(key.wait() == 0)
            let none = try daemon.todayctl("click", "a", "up", environment: variables)
            #expect(none.status == 1 && none.errors.contains("no 'todayctl bar' of yours runs"), "\(none)")
        }

        /// The wheel turns in the bar itself. A bar may close its end of the clicks and goes on to show.
        @Test func theWheelInI3barTurnsPagesAndItsInputMayEnd() throws {
            let body = #"echo '{"text": "one", "pages": ["two", "three"]}'"#
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", body, update: "Protocol=json"))
            try daemon.follow("a") { $0.state == .ready }
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let bar = try bar(daemon, "i3bar", "a", input: ends[0])
            close(ends[0])
            _ = try bar.line { $0.contains(#""full_text":"one""#) }
            for (button, page) in [(5, "two"), (5, "three"), (5, "one"), (4, "three")] {
                var text = (page == "two" ? "[\n" : "") + click(button)
                text.withUTF8 { _ = write(ends[1], $0.baseAddress, $0.count) }
                #expect(try bar.line().contains(#""full_text":"\#(page)""#))
            }
            close(ends[1])
            #expect(try daemon.todayctl("push", "a", "--text", "pushed").status == 0)
            _ = try bar.line { $0.contains(#""full_text":"pushed""#) }
        }

        /// A terminal that a click has opened stays, and the bar does not wait for it.
        @Test func itEndsWhileAClickIsAtWork() async throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("a", "test \"$TODAY_REASON\" != request || sleep 20\n" + Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let bar = try bar(daemon, "i3bar", "a", input: ends[0])
            _ = try bar.line { $0.contains("number") }
            var text = "[\n" + click(2)
            text.withUTF8 { _ = write(ends[1], $0.baseAddress, $0.count) }
            try await eventually("the click") { Processes.mentioning(daemon.socket).count > 2 }
            let start = ContinuousClock.now
            bar.closeOutput()
            #expect(bar.wait() == 0 && ContinuousClock.now - start < .seconds(10))
        }

        // MARK: Cost

        @Test func aBarThatWaitsCostsNothing() async throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", Self.counter))
            try daemon.follow("a") { $0.state == .ready }
            let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer { close(input) }
            // One of both has reached the end of its input.
            let bars = [try bar(daemon, "waybar", "a"), try bar(daemon, "i3bar", "a", input: input)]
            for bar in bars { _ = try bar.line() }
            func switches() throws -> [Int] { try bars.map { try Processes.switches(of: $0.pid) } }
            // On a busy machine a bar may still be starting.
            var (before, now) = ([Int](), try switches())
            for _ in 0..<20 where now != before {
                before = now
                try await Task.sleep(for: .milliseconds(500))
                now = try switches()
            }
            try await Task.sleep(for: .seconds(2))
            #expect(try switches() == now)
        }
    }
}

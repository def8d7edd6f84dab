// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing

extension Integration {
    /// A widget may change only itself, also when its processes hide their origin.
    @Suite struct ImpostorTests {
        private static let todayctl = "\(BuiltPrograms.directory)/todayctl --socket \"$TODAY_SOCKET\""

        /// A daemon with a victim and a widget with this script; `$victim` in it is a command that hides the victim.
        private static func daemon(_ script: String) throws -> PrivateDaemon {
            try PrivateDaemon(widgets: [
                "org.test.victim.widget": "[Update]\nExecStart=/bin/echo v\nInterval=1h\n",
                "org.test.other.widget": "[Widget]\nAppGroups=group.org.test.other\n[Update]\nProtocol=push\n",
                "org.test.impostor.widget": """
                [Widget]
                AppGroups=group.org.test.impostor
                [Update]
                ExecStart=./impostor
                Interval=1h
                """,
                "impostor": """
                #!/bin/sh
                victim='\(todayctl) set-has-content org.test.victim false'
                \(script)
                echo done
                """,
            ])
        }

        private static let attempts: [String] = [
            #"eval "$victim" && exit 1"#,
            #"sh -c "$victim" && exit 1"#,
            #"setsid -w sh -c "$victim" && exit 1"#,
            // The process has another session, no environment and no ancestor of the run. The daemon may end it as an
            // orphan before it calls.
            #"env -i TODAY_SOCKET="$TODAY_SOCKET" setsid -f sh -c "$victim; echo \$? >'$TODAY_STATE_DIRECTORY/code'" "#
                + #"; for i in $(seq 200); do test -s code && break; sleep 0.01; done; test "$(cat code)" != 0 || exit 1"#,
            "\(todayctl) disable org.test.victim && exit 1",
            "\(todayctl) update org.test.victim && exit 1",
            "\(todayctl) config --group group.org.test.other k=1 && exit 1",
            "\(todayctl) disable org.test.impostor && exit 1",
            "\(todayctl) reload && exit 1",
        ]

        @Test(arguments: attempts) func aWidgetChangesNothingElse(script: String) throws {
            let daemon = try Self.daemon(script)
            let answers = try daemon.call("Update", ["id": "org.test.impostor"])["answers"]?.arrayValue
            #expect(answers?.first?["answer"] == "newData", "\(String(describing: answers))")
            #expect(try daemon.call("HasContent", ["id": "org.test.victim"])["hasContent"] == true)
            let states = try daemon.call("List")["widgets"]?.arrayValue?.map { $0["state"] }
            #expect(states?.contains("disabled") == false)
        }

        @Test func aWidgetChangesItself() throws {
            let daemon = try Self.daemon(
                """
                \(Self.todayctl) config --group group.org.test.impostor k=1 || exit 1
                \(Self.todayctl) set-has-content org.test.impostor false || exit 1
                """)
            let answers = try daemon.call("Update", ["id": "org.test.impostor"])["answers"]?.arrayValue
            #expect(answers?.first?["answer"] == "newData", "\(String(describing: answers))")
            #expect(try daemon.call("HasContent", ["id": "org.test.impostor"])["hasContent"] == false)
            let values = try daemon.call("GetDefaults", ["group": "group.org.test.impostor"])["values"]
            #expect(values == ["k": ["value": 1]])
        }

        /// The process that made a call without a reply may end before the daemon reads the call.
        @Test func aProcessThatHasEndedChangesNothing() throws {
            let python = try #require(BuiltPrograms.installed("python3"), "contrib/setup --test installs it")
            let daemon = try Self.daemon(#"for i in 1 2 3 4 5 6 7 8; do env -i "${0%/*}/leaver" "$TODAY_SOCKET"; done"#)
            try daemon.add(
                "leaver",
                """
                #!\(python)
                import socket, sys
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(sys.argv[1])
                call = '{"method":"org.todayd.Today.SetHasContent","oneway":true,"parameters":%s}'
                connection.send((call % '{"id":"org.test.victim","hasContent":false}').encode() + bytes(1))
                """)
            _ = try daemon.call("Update", ["id": "org.test.impostor"])
            #expect(try daemon.call("HasContent", ["id": "org.test.victim"])["hasContent"] == true)
        }
    }
}

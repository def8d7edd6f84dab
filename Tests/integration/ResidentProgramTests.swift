// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing

extension Integration {
    /// Widgets with Protocol=varlink: programs that stay between runs, in Python without a library of ours.
    @Suite struct ResidentProgramTests {
        static let id = "org.test.resident"

        /// A daemon with one widget with this Python text: `calls()` yields method and parameters, `say()` answers.
        static func daemon(_ body: String, manifest: String = "") throws -> PrivateDaemon {
            let python = try #require(BuiltPrograms.installed("python3"), "contrib/setup --test installs it")
            return try PrivateDaemon(widgets: [
                "\(id).widget": """
                [Widget]
                LargestDisplayMode=expanded
                URLSchemes=example
                AppGroups=group.org.test
                [Update]
                ExecStart=./resident
                Protocol=varlink
                Interval=1h
                \(manifest)
                """,
                "org.test.victim.widget": "[Update]\nProtocol=push\n",
                "resident": """
                #!\(python)
                import json, os, signal, socket, sys, time
                service = socket.socket(fileno=3)
                context = socket.socket(fileno=4)
                assert os.environ['LISTEN_FDNAMES'] == 'varlink:context', os.environ
                assert os.environ['LISTEN_PID'] == str(os.getpid()), os.environ
                def receive(connection):
                    data = b''
                    while not data.endswith(bytes(1)):
                        more = connection.recv(65536)
                        if not more: return None
                        data += more
                    return json.loads(data[:-1])
                def calls():
                    while True:
                        call = receive(service)
                        if call is None: return
                        yield call['method'].split('.')[-1], call['parameters']
                def send(connection, message): connection.sendall(json.dumps(message).encode() + bytes(1))
                def say(result, **rest):
                    send(service, {'parameters': {'update': dict(rest, result=result)}})
                def show(text): say('newData', content={'text': text})
                def ask(method, **parameters):
                    send(context, {'method': 'org.todayd.ExtensionContext.' + method, 'parameters': parameters})
                    return receive(context)
                \(body)
                """,
            ])
        }

        static func update(_ daemon: PrivateDaemon) throws -> JSON? {
            try daemon.call("Update", ["id": .string(id)])["answers"]?.arrayValue?.first
        }

        static func item(_ daemon: PrivateDaemon) throws -> JSON? {
            try daemon.call("Show", ["id": .string(id)])["items"]?.arrayValue?.first
        }

        private static let counting = """
            count = 0
            for method, parameters in calls():
                count += 1
                show('%s %d %d %s' % (method, count, os.getpid(), parameters['request']['mode']))
            """

        /// ptrace(2) as lldb uses it: the process stops, and goes on as it was once the debugger leaves.
        @Test func aDebuggerMayAttachToAProcessThatStays() async throws {
            let daemon = try Self.daemon(Self.counting)
            #expect(try Self.update(daemon)?["answer"] == "newData")
            let text = try #require(Self.item(daemon)?["content"]?["text"]?.stringValue)
            let pid = try #require(text.split(separator: " ").dropFirst(2).first)
            let python = try #require(BuiltPrograms.installed("python3"), "contrib/setup --test installs it")
            let script = """
                import ctypes, os, sys
                libc, pid = ctypes.CDLL(None, use_errno=True), int(sys.argv[1])
                assert libc.ptrace(16, pid, None, None) == 0, os.strerror(ctypes.get_errno())
                os.waitpid(pid, 0)
                print([line.split()[1] for line in open(f'/proc/{pid}/status') if line.startswith('State')])
                assert libc.ptrace(17, pid, None, None) == 0
                """
            let debugger = try run(python, ["-c", script, String(pid)])
            #expect(debugger.status == 0 && debugger.output == "['t']\n", "\(debugger.errors)")
            #expect(try Self.update(daemon)?["answer"] == "newData")
            let after = try #require(Self.item(daemon)?["content"]?["text"]?.stringValue)
            #expect(after.split(separator: " ").dropFirst(2).first == pid, "it is the same process")
        }

        @Test func oneProcessAnswersManyCalls() async throws {
            let daemon = try Self.daemon(Self.counting)
            var pids = Set<String>()
            var count = 0
            for _ in 0..<5 {
                #expect(try Self.update(daemon)?["answer"] == "newData")
                let words = try #require(Self.item(daemon)?["content"]?["text"]?.stringValue?.split(separator: " "))
                #expect(words[0] == "PerformUpdate")
                pids.insert(String(words[2]))
                count = Int(words[1]) ?? 0
            }
            #expect(pids.count == 1)
            #expect(count >= 5)
            _ = try daemon.call("SetDisplayMode", ["id": .string(Self.id), "mode": "expanded"])
            try await eventually("the other mode") {
                try Self.item(daemon)?["content"]?["text"]?.stringValue?.hasPrefix("DisplayModeDidChange") == true
            }
            let pid = try #require(pids.first.flatMap { pid_t($0) })
            #expect(kill(pid, 0) == 0)
            #expect(try daemon.stop() == 0)
            #expect(kill(pid, 0) != 0)
        }

        struct Case: CustomTestStringConvertible {
            let testDescription: String
            let body: String
            let reason: String

            init(_ name: String, _ body: String, _ reason: String) {
                (testDescription, self.body, self.reason) = (name, body, reason)
            }
        }

        /// Each widget has shown "good" before.
        static let hostile = [
            Case(
                "garbage", "service.sendall(b'rubbish' + bytes(1))",
                "its answer is not JSON: line 1, column 1: expected a value"),
            Case("no answer", "time.sleep(100)", "timed out after 1 s (Timeout=1s)"),
            Case(
                "forgets the NUL", "service.sendall(b'{}' + bytes([10])); time.sleep(100)",
                "timed out after 1 s (Timeout=1s); it has sent 3 bytes without the NUL that ends a message"),
            Case("twice", "show('a'); show('b')", ""),
            Case(
                "twice at once", "m = json.dumps({'parameters': {}}).encode() + bytes(1); service.sendall(m + m)",
                "it answered more than once"),
            Case("exit", "sys.exit(3)", "exited with status 3"),
            Case("quiet exit", "sys.exit(0)", "exited with status 0 before it answered"),
            Case("crash", "os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
            Case("closes", "service.close(); time.sleep(100)", "it closed its connection before it answered"),
            Case(
                "ignores everything",
                "signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(os.getpid(), signal.SIGSTOP)",
                "timed out after 1 s (Timeout=1s)"),
            Case("failed", "say('failed', reason='no network')", "no network"),
            Case(
                "wrong word", "say('newdata')",
                "update.result: expected \"newData\" or \"noData\" or \"failed\", found \"newdata\"; did you mean \"newData\"?"
            ),
            Case("no content", "say('newData')", "update.content: is missing"),
            Case(
                "error", "send(service, {'error': 'org.example.Broken', 'parameters': {}})",
                "answered with the error org.example.Broken"),
            Case(
                "escape sequence", "show(chr(27) + '[2J')", "update.content.text: contains a terminal escape sequence"),
            Case(
                "not a number",
                "service.sendall(b'{\"parameters\":{\"update\":{\"result\":\"newData\",\"content\":{\"text\":\"a\",\"percentage\":NaN}}}}' + bytes(1))",
                "its answer is not JSON"),
            Case(
                "infinite",
                "service.sendall(b'{\"parameters\":{\"update\":{\"result\":\"newData\",\"content\":{\"text\":\"a\",\"percentage\":1e999}}}}' + bytes(1))",
                "its answer is not JSON"),
            Case(
                "deep",
                "v = 'x'\nfor i in range(100): v = {'type': 'vstack', 'children': [v]}\nsay('newData', content={'text': 'a', 'compact': v})",
                "nested"),
            Case(
                "abyss", "service.sendall(b'[' * 10000 + bytes(1))",
                "its answer is not JSON: line 1, column 129: nested more than"),
            Case("10 MB", "show('x' * 10_000_000)", "its answer is a message longer than 4194304 bytes"),
            Case(
                "1 GB", "\nwhile True: service.sendall(b'x' * 65536)",
                "its answer is a message longer than 4194304 bytes"),
        ]

        @Test(arguments: hostile) func theFailureHasItsReasonAndTheSnapshotStays(_ hostile: Case) async throws {
            let body = hostile.body.split(separator: "\n", omittingEmptySubsequences: false)
                .map { "        \($0)" }.joined(separator: "\n")
            let daemon = try Self.daemon(
                """
                fine = os.path.exists('fine')
                for method, parameters in calls():
                    if not fine:
                        fine = True
                        show('good')
                        open('fine', 'w').close()
                    else:
                \(body)
                """, manifest: "Timeout=1s")
            try await eventually("good content") {
                if try Self.item(daemon)?["content"]?["text"] == "good" { return true }
                // On a busy machine the start of Python alone may take longer than the time-out.
                _ = try Self.update(daemon)
                return false
            }
            let answer = try Self.update(daemon)
            if !hostile.reason.isEmpty {
                #expect(answer?["answer"] == "failed")
                let reason = try #require(answer?["reason"]?.stringValue)
                #expect(reason.contains(hostile.reason), "\(reason)")
            } else {
                // A message between two calls is a failure, too.
                try await eventually("the complaint") {
                    let failure = try Self.item(daemon)?["failure"]?.stringValue ?? ""
                    return failure.contains("without being asked") || failure.contains("more than once")
                }
            }
            let item = try Self.item(daemon)
            if !hostile.reason.isEmpty {
                #expect(item?["content"]?["text"] == "good")
                #expect(item?["failure"] == answer?["reason"])
            }
            #expect(item?["state"] == "failing")
            #expect(try daemon.stop() == 0)
        }

        @Test func theContextChangesOnlyItsWidget() async throws {
            let daemon = try Self.daemon(
                """
                for method, parameters in calls():
                    said = [ask('Describe')['parameters']['id']]
                    said.append(ask('SetDefaults', key='k', value={'value': 1}).get('error', 'ok'))
                    said.append(ask('GetDefaults', group='group.org.other').get('error', 'ok'))
                    said.append(ask('OpenURL', url='example://x')['parameters'].get('reason', 'ok'))
                    send(context, {'method': 'org.todayd.Today.SetHasContent',
                        'parameters': {'id': 'org.test.victim', 'hasContent': False}})
                    said.append(receive(context)['error'])
                    said.append(ask('SetHasContent', hasContent=False, id='org.test.victim').get('error', 'ok'))
                    ask('SetHasContent', hasContent=False)
                    show(', '.join(said))
                """)
            try await eventually("content") { try Self.item(daemon)?["content"] != nil }
            let text = try #require(Self.item(daemon)?["content"]?["text"]?.stringValue)
            #expect(
                text == """
                    \(Self.id), ok, org.todayd.ExtensionContext.NoSuchGroup, the user has pressed no button of \
                    \(Self.id): URLs are opened while an action is performed, org.varlink.service.InterfaceNotFound, \
                    org.varlink.service.InvalidParameter
                    """)
            #expect(try daemon.call("HasContent", ["id": "org.test.victim"])["hasContent"] == true)
            #expect(try daemon.call("HasContent", ["id": .string(Self.id)])["hasContent"] == false)
            let values = try daemon.call("GetDefaults", ["group": "group.org.test"])["values"]
            #expect(values == ["k": ["value": 1]])
        }

        @Test func anActionMayOpenTheApp() async throws {
            let daemon = try Self.daemon(
                """
                for method, parameters in calls():
                    if method == 'PerformAction':
                        first = ask('OpenURL', url='other://x')['parameters']['reason']
                        assert 'does not declare the scheme other' in first, first
                        assert 'error' not in ask('OpenURL', url='example://day/1')
                        assert 'one URL' in ask('OpenURL', url='example://day/2')['parameters']['reason']
                        say('noData')
                    else: say('newData', content={'text': 'a', 'compact': {'type': 'button', 'title': 'b', 'action': 'go'}})
                """)
            try await eventually("content") { try Self.item(daemon)?["content"] != nil }
            let answer = try daemon.call("PerformAction", ["id": .string(Self.id), "action": "go"])["answer"]
            #expect(answer?["answer"] == "noData", "\(String(describing: answer))")
            #expect(answer?["open"] == "example://day/1")
        }

        @Test func theUserEditsWhatTheManifestAllows() async throws {
            let daemon = try Self.daemon(Self.counting)
            try await eventually("content") { try Self.item(daemon)?["content"] != nil }
            let refused = try daemon.todayctl("edit", Self.id)
            #expect(refused.status == 8)
            #expect(refused.errors.contains("its manifest says no AllowsEditing=yes"))
            #expect(try Self.item(daemon)?["allowsEditing"] == false)

            try daemon.directory.write(
                "[Widget]\nAllowsEditing=yes\n", to: "widgets/\(Self.id).widget.d/edit.conf")
            try await eventually("news of the drop-in") { try Self.item(daemon)?["allowsEditing"] == true }
            #expect(try daemon.todayctl("edit", Self.id).status == 0)
            #expect(try Self.item(daemon)?["content"]?["text"]?.stringValue?.hasPrefix("BeginEditing ") == true)
            #expect(try daemon.todayctl("edit", Self.id, "--done").status == 0)
            #expect(try Self.item(daemon)?["content"]?["text"]?.stringValue?.hasPrefix("EndEditing ") == true)
            let status = try daemon.call("Status", ["id": .string(Self.id)])["widgets"]?.arrayValue?.first
            #expect(status?["history"]?.arrayValue?.first?["reason"] == "editing")
        }

        @Test func aContextEndsWithItsProgram() async throws {
            let daemon = try Self.daemon(
                """
                for method, parameters in calls():
                    send(context, {'method': 'org.todayd.ExtensionContext.GetDefaults', 'more': True})
                    receive(context)
                    socket.send_fds(context, [b'{'], [context.fileno()])
                    show(str(os.getpid()))
                    break
                """)
            var processes: Set<String> = []
            try await eventually("five processes") {
                _ = try Self.update(daemon)
                if let text = try Self.item(daemon)?["content"]?["text"]?.stringValue { processes.insert(text) }
                return processes.count >= 5
            }
            try await eventually("the end of other connections") { try daemon.daemonStatus().connections == 1 }
            #expect(try daemon.daemonStatus().subscribers == 0)
        }

        /// The examples in contrib/examples, unchanged.
        @Test func theMoonHasItsPhases() throws {
            let examples = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/contrib/examples"
            for (time, text) in [("947182440", "New moon"), ("948458162", "Full moon"), ("0", "Last quarter")] {
                let result = try run("\(examples)/moon/moon", [], environment: ["MOON_NOW": time])
                #expect(try JSON.parse(result.output)["text"] == .string(text))
            }
            let daemon = try PrivateDaemon(options: ["--widgets", "\(examples)/moon"])
            let answer = try daemon.call("Update", ["id": "org.example.moon"])["answers"]?.arrayValue?.first?["answer"]
            #expect(answer == "newData" || answer == "noData")
        }

        @Test func theTallyCounts() async throws {
            let examples = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/contrib/examples"
            let daemon = try PrivateDaemon(options: ["--widgets", "\(examples)/tally"])
            let parameters: JSONObject = ["id": "org.example.tally"]
            func text() throws -> JSON? {
                try daemon.call("Show", parameters)["items"]?.arrayValue?.first?["content"]?["text"]
            }
            try await eventually("the tally") { try text() == "0 of 8 glasses" }
            for _ in 0..<3 {
                let action: JSONObject = ["id": "org.example.tally", "action": "drink"]
                #expect(try daemon.call("PerformAction", action)["answer"]?["answer"] == "newData")
            }
            #expect(try text() == "3 of 8 glasses")
            _ = try daemon.call("SetDisplayMode", ["id": "org.example.tally", "mode": "expanded"])
            let reset: JSONObject = ["id": "org.example.tally", "action": "reset"]
            try await eventually("the button") {
                (try? daemon.call("PerformAction", reset)["answer"]?["answer"] == "newData") ?? false
            }
            #expect(try text() == "0 of 8 glasses")
        }

        /// A reply to `Appear` would be the first message.
        @Test func theTallyDoesNotReplyToOnewayCalls() throws {
            let examples = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/contrib/examples"
            let python = try #require(BuiltPrograms.installed("python3"), "contrib/setup --test installs it")
            let directory = TemporaryDirectory()
            let result = try run(
                python,
                [
                    "-c",
                    """
                    import json, os, socket, subprocess, sys
                    os.dup2(0, 3)  # taken, so that neither end is 3
                    ours, theirs = socket.socketpair()
                    os.dup2(theirs.fileno(), 3)
                    subprocess.Popen([sys.argv[1]], pass_fds=[3])
                    def send(method, **rest):
                        call = dict(rest, method='org.todayd.Widget.' + method, parameters={'request': {}})
                        ours.sendall(json.dumps(call).encode() + bytes(1))
                    send('Appear', oneway=True)
                    send('PerformUpdate')
                    data = b''
                    while not data.endswith(bytes(1)): data += ours.recv(65536)
                    print(data.count(bytes(1)), json.loads(data[:-1])['parameters']['update']['result'])
                    """, "\(examples)/tally/tally",
                ], environment: ["TODAY_STATE_DIRECTORY": directory.path])
            #expect(result.output == "1 newData\n", "\(result.errors)")
        }

        /// Group defaults and the display mode reach a widget with TodayKit.
        @Test func theGreetingFollowsItsDefaultsAndItsMode() async throws {
            let daemon = try PrivateDaemon(widgets: [
                "org.todayd.greeting.widget": """
                [Widget]
                LargestDisplayMode=expanded
                AppGroups=group.org.todayd.greeting
                [Update]
                ExecStart=\(BuiltPrograms.directory)/greeting-widget
                Protocol=varlink
                Interval=1h
                """
            ])
            let parameters: JSONObject = ["id": "org.todayd.greeting"]
            func item() throws -> JSON? { try daemon.call("Show", parameters)["items"]?.arrayValue?.first }
            try await eventually("the greeting") { try item()?["content"]?["text"] == "Hello" }
            try daemon.todayctl("config", "--group", "group.org.todayd.greeting", "customKey=Guten Tag")
            try await eventually("the new one") { try item()?["content"]?["text"] == "Guten Tag" }
            #expect(try daemon.todayctl("expand", "greeting").status == 0)
            #expect(try item()?["mode"] == "expanded")
            #expect(try item()?["content"]?["expanded"] != nil)
            #expect(try daemon.todayctl("update", "greeting").output.contains("nothing new"))
            #expect(try daemon.stop() == 0)
        }
    }
}

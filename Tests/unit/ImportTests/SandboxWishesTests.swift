// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

/// What the text of a program says that it wants, and what becomes of it.
@Suite struct SandboxWishesTests {
    private static func words(_ wishes: SandboxWishes) -> String {
        SandboxWish.allCases.compactMap { wish in wishes.evidence[wish].map { "\(wish.rawValue) \($0)" } }
            .joined(separator: ", ")
    }

    /// A script, and what it wants with the word that tells of it.
    static let scripts: [(String, String)] = [
        ("uptime -p", ""), ("# curl https://a.example", ""), ("\t// https://a.example", ""),
        ("curl -s a", "network curl"), ("x=$(curl -s a)", "network curl"), ("LANG=C curl a", "network curl"),
        ("x | /usr/bin/curl", "network curl"), ("if ping -c1 x; then", "network ping"), ("echo curl", ""),
        ("subprocess.run([\"curl\", x])", "network curl"), ("`wget x`", "network wget"), ("&& wget x", "network wget"),
        ("print('see https://a.example/b')", "network https://a.example/b"),
        ("echo \"A | href=https://a.example\"", ""), ("href='https://a.example'", ""),
        ("import requests, json", "network requests"), ("from urllib.request import urlopen", "network urllib.request"),
        ("import json", ""), ("curl = 5", ""), ("cat /proc/net/dev", "network /proc/net/dev"),
        ("playerctl status; df -h", "session playerctl, machine df"), ("import psutil", "machine psutil"),
        ("from i3pystatus import Status", "machine i3pystatus"), ("a = os.statvfs(p)", "machine os.statvfs"),
        ("from shutil import disk_usage", "machine disk_usage"), ("disk_usage=$(cat x)", ""),
        ("os.statvfs_ = shutil.disk_usage2", ""),
        ("the top of it", ""), ("top -bn1", "machine top"), ("exec df", "machine df"),
        ("read x < /dev/sda", "machine /dev/sda"),
        ("x > /dev/null 2>/dev/stderr", ""), ("cat ~/todo.txt", "files ~/todo.txt"),
        ("cat $HOME/a/b", "files ~/a/b"), ("cat \"${HOME}/a\"", "files ~/a"), ("cat /home/ada/a", "files ~/a"),
        ("cat /home/adam/a", ""), ("cd ~", ""), ("cd $HOME", ""), ("cat ~/a/$name.txt", "files ~/a"),
        ("cat ~/$name", ""), ("cat ~/a/../../x", ""), ("c=${XDG_CACHE_HOME:-$HOME/.cache}/w", "files ~/.cache/w"),
        ("ls ~/notes/*.txt", "files ~/notes"), ("cat /tmp/status.json || true", "files /tmp/status.json"),
        ("x=/tmp/$USER.json", ""), ("x=/tmp/a/$USER.json", "files /tmp/a"), ("x=/var/tmp/x.$$", ""), ("cd /mnt/", ""),
        ("cat /var/lib/misc/$x /srv/a", "files /var/lib/misc /srv/a"), ("cat /usr/share/a /etc/b /opt/c", ""),
        ("x /run/user/1000/bus /run/user/$UID/x", ""), ("/run/current-system/sw/bin/echo a", ""),
        ("cat /run/ups/state", "files /run/ups/state"),
        ("cat /tmp/../etc/shadow", ""), ("cat ~/My\\ Notes/a", "files ~/My Notes/a"),
    ]

    /// Words in quotes, and names of variables, are commands only where a shell or a list of words has one.
    static let quotations: [(String, String)] = [
        ("run([\"ps\", \"-e\"])", "machine ps"), ("Command('ps', 'aux')", "machine ps"),
        ("x = [ \"ps\" , a ]", "machine ps"),
        ("popen(\"df -h\")", "machine df"), ("popen('top -bn1')", "machine top"), ("run(\"who | wc\")", "machine who"),
        ("sh -c \"df\"", "machine df"), ("sh -c 'who'", "machine who"), ("sh -c 'light on'", "machine light"),
        ("\"curl\" -s a", "network curl"), ("x; 'curl' a", "network curl"), ("exec \"curl\"", "network curl"),
        ("\"$(ps -e)\"", "machine ps"), ("  w | wc", "machine w"), ("$(w)", "machine w"), ("PS=1 ps", "machine ps"),
        ("with open(path, \"w\") as f:", ""), ("open(path, 'w', encoding=x)", ""), ("print({\"class\": \"w\"})", ""),
        ("x = a[\"ip\"]", ""), ("a.get('ip')", ""), ("{\"ip\": 1, \"ps\": 2}", ""), ("(\"ip\"; x)", ""),
        ("theme = \"light\"", ""), ("\"light rain\": x", ""), ("echo \"who is it\"", ""), ("df = read()", ""),
        ("w, h = size", ""), ("df[0]", ""), ("  w) x=1", ""),
    ]

    @Test(arguments: quotations.indices) func quotesHideAndShow(index: Int) {
        let (script, words) = Self.quotations[index]
        let wishes = SandboxWishes(ofProgram: Array(script.utf8), Machine().importFiles)
        #expect(Self.words(wishes) == words, "\(script)")
    }

    /// Quoted paths with spaces count if they exist; otherwise the text may be a command with its arguments.
    @Test func pathsHaveSpaces() {
        func look(_ command: String) -> [String] {
            let wishes = SandboxWishes(ofCommand: command, machine.importFiles)
            return wishes.dropIn(.wishes([.files]), isSystem: false).split(separator: "\n").dropFirst(3).map(
                String.init)
        }
        for command in ["\"$HOME/my dir/a\" x", "sh '/home/ada/my dir/a'", "~/my\\ dir/a", "x; \"${HOME}/my dir/a\""] {
            #expect(look(command) == ["ReadPaths=\"-%h/my dir\""], "\(command)")
        }
        #expect(look("cat \"$HOME/my dir/a\"") == ["ReadPaths=\"-%h/my dir/a\""])
        #expect(look("cat \"/home/ada/my dir/b\"") == ["ReadPaths=-%h/my"])
        #expect(look("sh -c \"~/bin/weather ~/b\"") == ["ReadPaths=-%h/bin", "ReadPaths=-%h/b", "ReadPaths=-%h/city"])
    }

    @Test(arguments: scripts.indices) func itsTextTells(index: Int) {
        let (script, words) = Self.scripts[index]
        let wishes = SandboxWishes(ofProgram: Array(script.utf8), Machine().importFiles)
        #expect(Self.words(wishes) == words, "\(script)")
    }

    @Test func aCompiledProgramSaysNothing() {
        #expect(
            SandboxWishes(ofProgram: [0x7f] + Array("ELF\0 curl ~/x".utf8), Machine().importFiles) == SandboxWishes())
        var many = ""
        for number in 0..<100 { many += "cat ~/a\(number)\n" }
        #expect(SandboxWishes(ofProgram: Array(many.utf8), Machine().importFiles).files.count == 16)
    }

    private var machine: Machine {
        var machine = Machine([
            "/home/ada/bin/weather": "#!/bin/sh\ncurl x\ncat ~/bin/lib ~/city\n", "/home/ada/w.sh": "df\n",
            "/usr/lib/i3blocks/song": "playerctl\n", "/dev/null": "", "/home/ada/my dir/a": "df",
        ])
        machine.variables["PATH"] = "/usr/bin:/home/ada/bin"
        return machine
    }

    /// The scripts of a command belong to it, with what lies beside them.
    @Test func aCommandHasItsScripts() {
        func look(_ command: String) -> (String, [String], [String]) {
            let wishes = SandboxWishes(ofCommand: command, machine.importFiles)
            return (Self.words(wishes), wishes.own, wishes.files)
        }
        for command in ["weather", "~/bin/weather x", "sh $HOME/bin/weather", "/home/ada/bin/weather", "bin/weather"] {
            #expect(look(command) == ("network curl, files ~/city", ["%h/bin"], ["%h/city"]), "\(command)")
        }
        #expect(look("echo weather") == ("", [], []))
        // A file that it reads is not one of its scripts, and all such files are named.
        #expect(look("cat ~/bin/weather ~/a") == ("files ~/bin/weather ~/a", [], ["%h/bin/weather", "%h/a"]))
        #expect(look("/usr/lib/i3blocks/song >/dev/null") == ("session playerctl", [], []))
        // One in the home itself does not open the home.
        #expect(look("~/w.sh") == ("files ~/w.sh, machine df", [], ["%h/w.sh"]))
    }

    /// A script that is a link belongs to the program with what lies beside its target.
    @Test func theTargetOfAScriptIsItsOwn() {
        func own(_ links: [String: String]) -> [String] {
            var machine = machine
            machine.links = links
            return SandboxWishes(ofCommand: "weather", machine.importFiles).own
        }
        #expect(own(["/home/ada/bin": "/home/ada/dotfiles/bin"]) == ["%h/bin", "%h/dotfiles/bin"])
        #expect(own(["/home/ada/bin/weather": "/srv/w/weather"]) == ["%h/bin", "/srv/w"])
        #expect(own(["/home/ada/bin/weather": "/usr/bin/weather"]) == ["%h/bin"])
        #expect(own(["/home/ada/bin/weather": "/home/ada/weather"]) == ["%h/bin"], "not the whole home")
        #expect(own(["/home/": "/var/home/"]) == ["%h/bin"])
        var foreign = machine.importFiles
        (foreign.read, foreign.resolved) = (
            { _ in .unreadable("it belongs to another user") }, { _ in "/srv/w/weather" }
        )
        #expect(SandboxWishes(ofCommand: "weather", foreign).own == ["%h/bin"])
    }

    /// A script, what is allowed, and what the drop-in says then.
    static let dropIns: [(String, SandboxConsent, [String])] = [
        ("curl ~/a", .wishes([]), ["Level=strict"]), ("curl ~/a", .wishes([.session, .machine]), ["Level=strict"]),
        ("curl ~/a", .wishes([.network]), ["Level=network"]),
        ("curl ~/a", .everyWish, ["Level=network", "ReadPaths=-%h/a"]), ("true", .everyWish, ["Level=strict"]),
        ("true", .everything, ["Level=none"]), ("df; curl", .everyWish, ["Level=none"]),
        ("df; curl", .wishes([.network]), ["Level=network"]),
        ("cat ~/.cache/a ~/b%", .wishes([.files]), ["Level=strict", "WritePaths=-%h/.cache/a", "ReadPaths=-%h/b%%"]),
        ("cat /tmp/a /var/b%", .wishes([.files]), ["Level=strict", "WritePaths=-/tmp/a", "ReadPaths=-/var/b%%"]),
        (
            "playerctl", .everyWish,
            [
                "Level=strict", "WritePaths=-/run/dbus/system_bus_socket", "Bus=yes", "WritePaths=-%t -/tmp/.X11-unix",
                "ReadPaths=-%h/.Xauthority",
            ]
        ),
    ]

    @Test(arguments: dropIns.indices) func itGetsWhatItWantsOfWhatIsAllowed(index: Int) {
        let (script, consent, lines) = Self.dropIns[index]
        let wishes = SandboxWishes(ofProgram: Array(script.utf8), Machine().importFiles)
        let text = wishes.dropIn(consent, isSystem: false)
        #expect(text.split(separator: "\n").dropFirst(2).map(String.init) == lines && text.hasSuffix("\n"))
        #expect(text.contains("\n[Sandbox]\n"))
    }

    @Test func theSystemHasNoSession() {
        let wishes = SandboxWishes(ofProgram: Array("busctl".utf8), Machine().importFiles)
        let text = wishes.dropIn(.everyWish, isSystem: true)
        #expect(text.contains("Level=strict\nWritePaths=-/run/dbus/system_bus_socket\n") && !text.contains("Bus="))
    }

    @Test func aCommandKeepsItsScriptsInAnyCase() {
        let wishes = SandboxWishes(ofCommand: "weather", machine.importFiles)
        #expect(wishes.dropIn(.wishes([]), isSystem: false).hasSuffix("Level=strict\nReadPaths=-%h/bin\n"))
    }

    /// A sandbox, and the beginnings of what is said about a script that wants everything.
    @Test func whatASandboxWithholdsIsSaid() {
        let script = "curl; playerctl; df; cat ~/a/b\n"
        func withheld(_ change: (inout Sandbox) -> Void) -> [String] {
            var sandbox = Sandbox(level: .strict)
            change(&sandbox)
            let wishes = SandboxWishes(ofProgram: Array(script.utf8), Machine().importFiles)
            return wishes.withheld(by: sandbox, home: "/home/ada", visible: ["/usr/bin"]).map {
                $0.contains("/home/ada")
                    ? "files" : $0.contains("network (curl)") ? "network" : $0.contains("(df)") ? "machine" : "session"
            }
        }
        #expect(withheld { _ in } == ["network", "session", "files", "machine"])
        #expect(withheld { $0.level = .network } == ["session", "files", "machine"])
        #expect(withheld { $0.network = true } == ["session", "files", "machine"])
        #expect(withheld { $0.bus = true } == ["network", "files", "machine"])
        #expect(withheld { $0.readable = [.init("/home/ada/a")] } == ["network", "session", "machine"])
        #expect(withheld { $0.writable = [.init("/home/ada/a/b")] } == ["network", "machine"])
        #expect(withheld { $0.readable = [.init("/home/ada/a/bc")] }.contains("files"))
        #expect(withheld { $0.devices = [.init("/dev/sda")] } == ["network", "session", "files"])
        #expect(withheld { $0.level = .none }.isEmpty)
        #expect(
            withheld {
                $0.level = .none
                $0.network = false
            } == ["network"])
    }
}

// SPDX-License-Identifier: MIT
import Formats
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

/// The widgets that are scripts, with recorded answers of the programs that they ask.
struct GalleryTests: GalleryScripts {
    static let names = [
        "ai-usage", "battery", "clock", "containers", "countdown", "mail", "media", "network", "todo", "updates",
        "volume",
    ]

    // MARK: Volume and media

    @Test func volumeHasButtons() throws {
        let directory = TemporaryDirectory()
        let wpctl = "echo \"$*\" >>'\(directory("calls"))'; [ \"$1\" != get-volume ] || echo 'Volume: 0.45'"
        let programs = ["wpctl": wpctl, "pactl": "exit 1"]
        let shown = try content(of: "volume", programs, in: directory)
        #expect(shown.text == "45 %" && shown.actions == ["mute", "quieter", "louder"])
        _ = try content(of: "volume", programs, ["TODAY_ACTION": "louder"], in: directory)
        let calls = try directory.read("calls").split(separator: "\n")
        #expect(calls.contains("set-volume -l 1 @DEFAULT_AUDIO_SINK@ 5%+"))
        let muted = try content(of: "volume", ["wpctl": "echo 'Volume: 1.20 [MUTED]'", "pactl": "exit 1"])
        #expect(muted.text == "muted" && muted.percentage == 100)
        #expect(try content(of: "volume", ["wpctl": "exit 1", "pactl": "exit 1"]).isEmpty)
    }

    private func busctl(_ state: String, _ metadata: String) -> String {
        """
        case "$*" in
            *" list --acquired"*) echo 'org.freedesktop.DBus 1 dbus'; echo 'org.mpris.MediaPlayer2.vlc 42 vlc' ;;
            *PlaybackStatus) echo 's "\(state)"' ;;
            *Metadata) printf '%s\\n' '\(metadata)' ;;
        esac
        """
    }

    @Test func mediaNamesWhatIsPlayed() throws {
        let metadata =
            #"a{sv} 4 "mpris:length" x 240000000 "xesam:title" s "A \"great\" song" "xesam:artist" as 1 "Björk" "xesam:album" s "Post""#
        let playing = try content(of: "media", ["busctl": busctl("Playing", metadata)])
        #expect(playing.text == #"Björk – A "great" song"# && playing.short == #"A "great" song"#)
        #expect(playing.actions == ["previous", "play", "next"] && playing.relevance != nil)
        let paused = try content(of: "media", ["busctl": busctl("Paused", #"a{sv} 1 "xesam:title" s "x = y; z""#)])
        #expect(paused.text == "x = y; z" && paused.relevance == nil)
        let bare = try content(of: "media", ["busctl": busctl("Playing", "a{sv} 0")])
        #expect(bare.text == "vlc", "a player that says nothing")
        #expect(try content(of: "media", ["busctl": busctl("Stopped", "a{sv} 0")]).isEmpty)
        #expect(try content(of: "media", ["busctl": "exit 1"]).isEmpty, "there is no session")
    }

    // MARK: Updates and containers

    private static let others = ["dnf", "pacman", "checkupdates", "flatpak", "fwupdmgr", "apt-get"]

    /// None of the managers says anything but these.
    private func managers(_ programs: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Self.others.map { ($0, "exit 0") }).merging(programs) { $1 }
    }

    @Test func updatesAreCountedOnce() throws {
        let apt = """
            echo 'Inst libssl3 [3.0.1] (3.0.2 Debian-Security:12/stable-security [amd64])'
            echo 'Inst vim [9.0] (9.1 Debian:12/stable [amd64])'
            echo 'Inst vim [9.0] (9.1 Debian:12/stable [amd64])'
            echo 'Conf vim'
            """
        let programs = managers(["apt-get": apt, "flatpak": "echo org.gimp.GIMP"])
        let content = try content(of: "updates", programs, ["RESTART": "/nowhere"])
        #expect(content.text == "3 updates, 1 for security" && content.severity == .warning)
        #expect(content.metrics.first?.value == 3)
        let one = try self.content(
            of: "updates", managers(["checkupdates": "echo 'vim 1 -> 2'"]), ["RESTART": "/nowhere"])
        #expect(one.text == "1 update" && one.severity == .normal)
        let restart = try self.content(of: "updates", managers([:]), ["RESTART": "/dev/null"])
        #expect(restart.text == "restart needed" && restart.severity == .warning)
        let fedora = try self.content(
            of: "updates",
            managers([
                "dnf": """
                case "$*" in
                    *updateinfo*) echo 'FEDORA-2026-1 Important/Sec. openssl-3.0.2-1.fc40.x86_64' ;;
                    *) echo 'openssl.x86_64 3.0.2-1.fc40 updates'; echo 'vim.x86_64 9.1 updates'; exit 100 ;;
                esac
                """
            ]), ["RESTART": "/nowhere"])
        #expect(fedora.text.hasSuffix("1 for security"))
        let none = managers(["checkupdates": "exit 2", "fwupdmgr": "exit 2", "dnf": "exit 0"])
        #expect(try self.content(of: "updates", none, ["RESTART": "/nowhere"]).isEmpty)
    }

    @Test func aManagerThatFailsIsNamedWithWhatItWasAsked() throws {
        let none = try content(of: "updates", managers(["dnf": "echo Cache-only >&2; exit 1"]), ["RESTART": "/nowhere"])
        #expect(none.text == "dnf failed" && none.severity == .normal)
        #expect(
            none.compact?.texts == [
                "dnf failed", "failed: dnf -qC check-update", "failed: dnf -qC updateinfo list --security",
            ])
        let programs = managers(["checkupdates": "exit 1", "flatpak": "echo org.gimp.GIMP", "fwupdmgr": "exit 1"])
        let some = try content(of: "updates", programs, ["RESTART": "/dev/null"])
        #expect(some.text == "1 update, restart needed, fwupd failed, pacman failed")
    }

    @Test func containersThatFailAreFirst() throws {
        let docker = """
            [ "$2" != -q ] || exit 0
            echo 'web Up 3 hours (healthy)'
            echo 'db Up 3 hours (unhealthy)'
            echo 'job Exited (0) 2 days ago'
            echo 'bad Exited (137) 5 minutes ago'
            echo 'loop Restarting (1) 4 seconds ago'
            """
        let content = try content(of: "containers", ["docker": docker, "podman": "exit 1"])
        #expect(content.text == "1 running, 3 failed" && content.severity == .warning)
        #expect(
            content.compact?.texts == [
                "1 running, 3 failed", "✗ db    Up 3 hours (unhealthy)", "✗ bad   exit 137",
                "✗ loop  Restarting, exit 1", "● web   Up 3 hours (healthy)",
                "1 stopped",
            ])
        #expect(try self.content(of: "containers", ["docker": "exit 1", "podman": docker]).text == content.text)
    }

    // MARK: Mail, AI usage

    @Test func unreadMessagesAreCounted() throws {
        let directory = TemporaryDirectory()
        for name in ["new/1", "cur/2:2,S", "cur/3:2,F", "Lists/new/a", "Lists/cur/b:2,FS"] {
            try directory.write("x", to: "Mail/\(name)")
        }
        #expect(try content(of: "mail", in: directory).text == "3 unread")
        try directory.makeDirectory("Other/new")
        let none = try content(of: "mail", [:], ["MAIL_SOURCE": directory("Other")], in: directory)
        #expect(none.isEmpty)
        #expect(symlink("Mail", directory("Linked")) == 0)
        let linked = try content(of: "mail", [:], ["MAIL_SOURCE": directory("Linked")], in: directory)
        #expect(linked.text == "3 unread")
    }

    /// The password is in no argument of curl.
    @Test func aServerIsAsked() throws {
        let directory = TemporaryDirectory()
        let curl = """
            cat >'\(directory("config"))'
            echo "$*" >'\(directory("arguments"))'
            echo '* STATUS INBOX (UNSEEN 12)'
            """
        let environment = ["MAIL_SOURCE": "imaps://a.b/", "MAIL_USER": "me", "MAIL_PASSWORD": "x\"y\\z"]
        #expect(try content(of: "mail", ["curl": curl], environment, in: directory).text == "12 unread")
        #expect(try directory.read("config") == "user = \"me:x\\\"y\\\\z\"\n")
        #expect(try directory.read("arguments").contains("y") == false)
    }

    @Test func costsAreOfTodayAndTheMonth() throws {
        let today = try today()
        let answer = """
            {"daily": [{"date": "2020-01-01", "inputTokens": 5, "totalCost": 1.5,
              "modelBreakdowns": [{"modelName": "a", "cost": 9}]},
             {"date": "\(today)", "totalTokens": 7, "totalCost": 2.25, "modelBreakdowns": []}],
             "totals": {"totalCost": 3.75}}
            """
        let content = try content(of: "ai-usage", ["ccusage": "cat <<'END'\n\(answer)\nEND"])
        #expect(
            content.text == "$2.25 today" && Self.detail(of: content) == "$3.75 this month"
                && content.metrics.first?.value == 2.25)
        #expect(try self.content(of: "ai-usage", ["ccusage": "echo '{\"daily\": []}'"]).isEmpty)
    }

    @Test func aMissingMaildirSaysHowToNameOne() throws {
        let result = try run(
            "\(BundledWidgetsTests.directory)/mail/mail", [], environment: ["MAIL_SOURCE": "/nowhere", "HOME": "/tmp"])
        #expect(
            result.status == 1
                && result.errors.hasPrefix("there is no directory /nowhere; 'todayctl config mail MAIL_SOURCE=PATH'"))
    }

    // MARK: To do, countdown, clock

    private func today(_ offset: String = "today", _ environment: [String: String] = [:]) throws -> String {
        let output = try run("/usr/bin/date", ["-d", offset, "+%Y-%m-%d"], environment: environment).output
        return String(output.dropLast())
    }

    @Test func tasksAreMarkedAsDone() throws {
        let directory = TemporaryDirectory()
        let today = try today()
        let file = """
            buy "milk" \\ +home
            (B) 2026-11-01 Write due:2099-12-24
            x 2026-01-01 old
            (A) Call Ada due:\(today)\r
            late due:2020-01-01

            """
        try directory.write(file, to: "my todo.txt")
        func look(_ action: String? = nil, _ name: String = "~/my todo.txt") throws -> Content {
            var environment = ["FILE": name]
            environment["TODAY_ACTION"] = action
            return try self.content(of: "todo", [:], environment, as: .json, in: directory)
        }
        let content = try look()
        #expect(content.text == "4 to do, 2 due" && content.severity == .warning)
        #expect(
            content.actions == [
                "done (A) Call Ada due:\(today)", "done late due:2020-01-01",
                "done (B) 2026-11-01 Write due:2099-12-24",
                "done buy \"milk\" \\ +home",
            ])
        #expect(try look("done buy \"milk\" \\ +home").text == "3 to do, 2 due")
        #expect(try look("done (A) Call Ada due:\(today)").text == "2 to do, 1 due")
        let left = try directory.read("my todo.txt")
        #expect(
            left.hasPrefix("x \(today) buy \"milk\" \\ +home\n(B) 2026-11-01") && left.contains("x \(today) Call Ada"))
        #expect(try look("done never there", "my todo.txt").text == "2 to do, 1 due")
        #expect(try directory.read("my todo.txt") == left)
    }

    @Test func aMissingListSaysHowToNameOne() throws {
        let result = try run(
            "\(BundledWidgetsTests.directory)/todo/todo", [], environment: ["FILE": "/nowhere", "HOME": "/tmp"])
        #expect(result.status == 1 && result.errors.contains("todayctl config"))
    }

    @Test(arguments: [
        ("3 days", "in 3 days"), ("1 day", "tomorrow"), ("today", "today"), ("1 day ago", "yesterday"),
        ("9 days ago", "9 days ago"),
    ])
    func theCountdownTurnsOver(offset: String, words: String) throws {
        var environment = ["TITLE": "The \"big\" day", "TZ": "Europe/Berlin"]
        environment["DATE"] = try today(offset, environment)
        let content = try content(of: "countdown", [:], environment, as: .json)
        #expect(content.text == "The \"big\" day \(words)")
        let entries = content.timeline?.entries ?? []
        #expect(entries.count == 30)
        if offset == "3 days" {
            #expect(entries.prefix(4).map { $0.content.short } == ["2", "1", "0", "-1"])
            #expect(entries[2].content.severity == .good)
        }
        let wrong = try run(
            "\(BundledWidgetsTests.directory)/countdown/countdown", [], environment: ["DATE": "soon", "TITLE": "x"])
        #expect(wrong.status == 1 && wrong.errors == "DATE=soon is not a date such as 2026-12-24\n")
    }

    @Test func theClockHasAnHourInAdvance() throws {
        let environment = ["ZONES": "Asia/Kolkata\nAmerica/New_York", "TZ": "UTC"]
        let content = try content(of: "clock", [:], environment, as: .json)
        #expect(content.text.hasPrefix("Kolkata ") && content.text.contains(", New York "))
        #expect(content.timeline?.entries.count == 59)
        let list = "'timedatectl list-timezones' lists them"
        for (zones, hint) in [
            ("Nowhere/Else", list), ("../../etc/passwd", list), ("/etc/passwd", list),
            ("Tokyo", "did you mean Asia/Tokyo?"), ("Asia/Tokyo,Europe/Bern", "a space separates two zones"),
        ] {
            let wrong = try run(
                "\(BundledWidgetsTests.directory)/clock/clock", [], environment: ["ZONES": zones])
            #expect(wrong.status == 1 && wrong.errors == "there is no time zone \(zones); \(hint)\n")
        }
        let empty = try run("\(BundledWidgetsTests.directory)/clock/clock", [], environment: ["ZONES": ""])
        #expect(empty.status == 1 && empty.errors.hasPrefix("there are no ZONES"))
    }
}

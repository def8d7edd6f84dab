// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

@Suite struct SearchPathTests {
    @Test func theSystemLooksWhereSystemdDoes() {
        #expect(
            SearchPath.system.widgetDirectories == [
                "/etc/todayd/widgets", "/run/todayd/widgets", "/usr/local/share/todayd/widgets",
                "/usr/share/todayd/widgets",
            ])
        #expect(SearchPath.system.pluginDirectories.first == "/etc/todayd/plugins")
        #expect(SearchPath.system.bases.last == "/usr/share/todayd")
    }

    @Test(
        arguments: [
            (
                ["HOME": "/home/me"],
                ["/home/me/.config", "/home/me/.local/share", "/usr/local/share", "/usr/share"]
            ),
            (
                [
                    "HOME": "/home/me", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/run/user/7",
                    "XDG_DATA_HOME": "/d/", "XDG_DATA_DIRS": "/x:/y:/x",
                ], ["/c", "/run/user/7", "/d", "/x", "/y"]
            ),
            (
                ["HOME": "/home/me", "XDG_CONFIG_HOME": "relative", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": "rel:/y"],
                ["/home/me/.local/share", "/y"]
            ),
            ([:], ["/usr/local/share", "/usr/share"]),
        ] as [([String: String], [String])])
    func aUserLooksInTheXDGDirectories(environment: [String: String], bases: [String]) {
        #expect(SearchPath.user(environment: environment).widgetDirectories == bases.map { "\($0)/todayd/widgets" })
    }

    @Test(
        arguments: [
            ("/opt/today/bin/todayd", "/opt/today/share/todayd/widgets"), ("/bin/todayd", "/share/todayd/widgets"),
            ("/opt/today/libexec/todayd/today-author", "/opt/today/share/todayd/widgets"),
            ("/opt/today/libexec/today-author", nil),
            ("/usr/bin/todayd", nil), ("/home/me/project/.build/debug/todayd", nil), ("/usr/sbin/todayd", nil),
        ] as [(String, String?)])
    func whatWasInstalledWithTheProgramIsFound(program: String, directory: String?) {
        let path = SearchPath.system.appending(installedWith: program)
        #expect(path.widgetDirectories == SearchPath.system.widgetDirectories + (directory.map { [$0] } ?? []))
    }

    @Test func explicitDirectoriesReplaceAll() {
        let path = SearchPath(
            widgetDirectories: ["/a/widgets/", "/b/w", "/a/widgets"], configurationFile: "/etc/x.conf")
        #expect(path.widgetDirectories == ["/a/widgets", "/b/w"])
        #expect(path.bases == ["/a", "/b"])
        #expect(path.pluginDirectories == ["/a/plugins", "/b/plugins"])
        #expect(ConfigurationFiles.directories(path) == ["/etc"])
    }

    @Test func missingDirectoriesAreAwaitedInTheNearestThatExists() {
        let present: Set<String> = ["/", "/etc", "/etc/todayd", "/etc/todayd/widgets", "/usr", "/usr/share"]
        let plan = WatchPlan(
            wanted: [
                "/etc/todayd/widgets", "/etc/todayd/plugins", "/etc/todayd", "/usr/share/todayd/widgets",
                "/home/me/x",
            ], exists: present.contains)
        #expect(
            plan.roles == [
                "/etc/todayd/widgets": .init(isWanted: true),
                "/etc/todayd": .init(isWanted: true, awaited: ["plugins"]),
                "/usr/share": .init(awaited: ["todayd"]),
                "/": .init(awaited: ["home"]),
            ])
    }
}

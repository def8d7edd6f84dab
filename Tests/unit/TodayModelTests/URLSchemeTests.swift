// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct URLSchemeTests {
    @Test(
        arguments: [
            ("https://a", "https"), ("HTTPS:x", "https"), ("a1+.-:", "a1+.-"), ("z:", "z"), ("Z9:a:b", "z9"),
            ("1a:x", nil), ("+a:x", nil), (":x", nil), ("", nil), ("no url", nil), ("a b:x", nil), ("a:b c", nil),
            ("a_b:x", nil),
            ("a@b:x", nil), ("a[b:x", nil), ("a`b:x", nil), ("a{b:x", nil), ("a,b:x", nil), ("a:\u{1b}", nil),
            ("a:\n", nil), ("-a:x", nil), (".a:x", nil), ("a/b:x", nil),
        ] as [(String, String?)])
    func aSchemeBeginsWithALetter(url: String, scheme: String?) {
        #expect(URLScheme.of(url) == scheme)
    }

    @Test func aURLIsNoLongerThanBrowsersTake() {
        #expect(URLScheme.of("a:" + String(repeating: "x", count: 4_094)) == "a")
        #expect(URLScheme.of("a:" + String(repeating: "x", count: 4_095)) == nil)
    }

    @Test(
        arguments: [
            ("https://a", ["https"], nil), ("HTTPS://a", ["http", "https"], nil),
            ("x", ["https"], "it is not a URL of at most 4096 bytes"),
            ("javascript:x", ["javascript"], "a URL with the scheme javascript is a program"),
            ("Data:x", ["data"], "a URL with the scheme data is a program"),
            ("vbscript:x", [], "a URL with the scheme vbscript is a program"),
            ("a:x", [], "org.a does not declare the scheme a: URLSchemes= in its manifest (there is none)"),
            ("a:x", ["b", "c"], "org.a does not declare the scheme a: URLSchemes= in its manifest (b c)"),
        ] as [(String, [String], String?)])
    func onlyWhatIsDeclaredIsOpened(url: String, schemes: [String], objection: String?) throws {
        let id = try #require(WidgetID("org.a"))
        #expect(URLScheme.refusal(of: url, for: id, declaring: schemes) == objection)
    }

    /// Its scheme would be declared in a drop-in, as a plugin has no manifest.
    @Test func aPluginHasNoManifest() throws {
        let plugin = try #require(WidgetID("plugin.cpu"))
        #expect(plugin.isPlugin && plugin.declaration == "its plugin")
        #expect(
            URLScheme.refusal(of: "a:x", for: plugin, declaring: ["b"])
                == "plugin.cpu does not declare the scheme a: URLSchemes= in a drop-in or a manifest (b)")
        let other = try #require(WidgetID("plugins.cpu"))
        #expect(!other.isPlugin && other.declaration == "its manifest")
    }
}

@Suite struct NameTests {
    @Test func aGroupIsAVariableToo() throws {
        let group = try #require(AppGroup("group.org-x.Aa_9z"))
        #expect(group.variableName == "GROUP_ORG_X_AA_9Z" && group.description == "group.org-x.Aa_9z")
        #expect(AppGroup("group") == nil)
        let other = try #require(AppGroup("group.org-y"))
        #expect(group < other && !(other < group) && !(group < group))
    }

    @Test func pointsHaveTwoNames() {
        #expect(ExtensionPoint.allCases.map(\.rawValue) == ["today", "lock_screen", "status_bar"])
        #expect(ExtensionPoint.allCases.map(\.name) == ["today", "lock-screen", "status-bar"])
        for point in ExtensionPoint.allCases { #expect(ExtensionPoint(name: point.name) == point) }
        #expect(ExtensionPoint(name: "lock_screen") == nil)
    }

    @Test func theExpandedModeOffersNoLess() {
        #expect(DisplayMode.compact < .expanded)
        #expect(!(DisplayMode.expanded < .compact) && !(DisplayMode.compact < .compact))
        #expect(!(DisplayMode.expanded < .expanded))
        #expect(DisplayMode.compact.maximumSize == Size(columns: 60, rows: 4))
        #expect(DisplayMode.expanded.maximumSize == Size(columns: 60, rows: 16))
        var sizes = DisplaySizes()
        (sizes.columns, sizes.compactRows, sizes.expandedRows) = (80, 9, 5)
        #expect(sizes[.compact] == Size(columns: 80, rows: 9) && sizes[.expanded] == Size(columns: 80, rows: 9))
    }

    @Test func theSystemsManifestsAreWhereAdministratorsPutThem() {
        #expect(
            ManifestDirectories.system == [
                "/etc/todayd/widgets", "/run/todayd/widgets", "/usr/local/share/todayd/widgets",
                "/usr/share/todayd/widgets",
            ])
    }

    @Test(
        arguments: [
            (
                ["HOME": "/h"],
                ["/h/.config", "/h/.local/share", "/usr/local/share", "/usr/share"]
            ),
            (
                [
                    "HOME": "/h", "XDG_CONFIG_HOME": "/c//", "XDG_RUNTIME_DIR": "/r", "XDG_DATA_HOME": "/d",
                    "XDG_DATA_DIRS": "/x:y:/z/",
                ],
                ["/c", "/r", "/d", "/x", "/z"]
            ),
            (["HOME": "h", "XDG_CONFIG_HOME": "", "XDG_DATA_DIRS": "rel"], []),
            ([:], ["/usr/local/share", "/usr/share"]),
            (["XDG_CONFIG_HOME": "/a:/b"], ["/a", "/usr/local/share", "/usr/share"]),
        ] as [([String: String], [String])])
    func aUsersManifestsAreWhereXDGSays(variables: [String: String], bases: [String]) {
        #expect(ManifestDirectories.user { variables[$0] } == bases.map { "\($0)/todayd/widgets" })
    }
}

// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

@Suite struct ManifestReaderTests {
    private let reader = ManifestReader(uid: { $0 == "crypto" ? 990 : nil })

    private func read(_ texts: String..., by reader: ManifestReader? = nil) throws -> ManifestReader.Reading {
        let files = texts.enumerated().map { index, text in
            UnitFile(
                path: index == 0 ? "m" : "d\(index)", bytes: Array(text.utf8), sections: ManifestReader.sections)
        }
        let id = try #require(WidgetID("org.example.btc"))
        return (reader ?? self.reader).read(id, files) { "/here" }
    }

    private func manifest(_ text: String, by reader: ManifestReader? = nil) throws -> Manifest {
        let reading = try read("[Update]\nExecStart=/bin/x\n" + text, by: reader)
        #expect(reading.complaints.isEmpty)
        return try #require(reading.manifest)
    }

    /// All keys, each with another value than its default.
    private static let allKeys = """
        [Widget]
        DisplayName=Bitcoin
        Description=Price of one bitcoin
        Icon=₿
        Example=64,210
        Label=BTC
        Shape=card
        BarFormat={label}: {text}
        BarWidth=12
        Click=menu
        BarColor=#f7931a
        BarBackground=#202020
        BarBorder=accent
        BarSeparator=no
        ExtensionPoint=today status-bar
        LargestDisplayMode=expanded
        AllowsEditing=yes
        AllowsCommands=yes
        ContainingApp=org.example.crypticker
        AppUser=crypto
        URLSchemes=crypticker HTTPS
        AppGroups=group.org.example.crypticker

        [Update]
        ExecStart=/usr/libexec/btc --currency "US dollar"
        Protocol=json
        Interval=1min
        Timeout=10s
        UpdateOnAppear=1min
        WorkingDirectory=/srv/btc
        Environment=LANG=C "TITLE=a b"
        Environment=EMPTY=

        [Limits]
        MemoryMax=64M
        TasksMax=32
        CPUQuota=150%
        OutputMax=512K

        [Sandbox]
        Level=strict
        Network=yes
        ReadPaths=/srv/btc -/srv/more
        WritePaths=/srv/out
        Devices=/dev/dri
        Bus=yes

        [Fleet]
        Scope=site
        WhenAlone=run
        """

    private static let keysWithAnEffect = ManifestReader.keys.values.joined().sorted()

    /// Without the lines of a key, the manifest is another one, or none; and so it is after an empty value of a drop-in.
    @Test(arguments: keysWithAnEffect) func everyKeyHasAnEffectAndIsTakenBack(key: String)
        throws
    {
        // A stream ignores how old its content is when a host looks, and is not a widget of a fleet.
        // What differs here makes another widget of the fleet.
        let alone = Self.allKeys.replacing("Scope=site", with: "")
        let isOfFleet = key == "Scope" || key == "WhenAlone"
        let allKeys =
            key == "Stream"
            ? alone.replacing("UpdateOnAppear=1min", with: "Stream=yes") : isOfFleet ? Self.allKeys : alone
        let lines = allKeys.split(separator: "\n", omittingEmptySubsequences: false)
        let others = lines.filter { !$0.hasPrefix("\(key)=") }
        #expect(others.count < lines.count, "allKeys lacks \(key)=")
        let without = try read(others.joined(separator: "\n")).manifest
        #expect(try without != read(allKeys).manifest)
        let section = try #require(ManifestKey.all.first { $0.name == key }).section
        #expect(try read(allKeys, "[\(section)]\n\(key)=\n").manifest == without)
    }

    @Test func doorsWithoutAWallAreTold() throws {
        let reading = try read("[Update]\nExecStart=/bin/x\n[Sandbox]\nLevel=none\nBus=yes\nReadPaths=/srv\n")
        #expect(
            reading.complaints == [
                .warning("m", 6, "ReadPaths= has no effect with Level=none"),
                .warning("m", 5, "Bus= has no effect with Level=none"),
            ])
    }

    @Test func doorsAddUpAndMayBeOptional() throws {
        let doors = try manifest("[Sandbox]\nLevel=strict\nReadPaths=/a \"/b c\"\nReadPaths=-/d").sandbox.readable
        #expect(doors == [.init("/a"), .init("/b c"), .init("/d", isOptional: true)])
        #expect(
            try manifest("[Sandbox]\nLevel=network\nReadPaths=/a\nReadPaths=\nReadPaths=/b").sandbox.readable == [
                .init("/b")
            ])
        var settings = Settings()
        settings.defaultSandbox = .network
        let reader = ManifestReader(settings: settings, uid: { _ in nil })
        #expect(try manifest("", by: reader).sandbox.level == .network)
        #expect(try manifest("[Sandbox]\nLevel=none", by: reader).sandbox.level == .none)
        #expect(try manifest("[Sandbox]\nLevel=none\nLevel=", by: reader).sandbox.level == .network)
    }

    /// A mark at the beginning of a value belongs to the value, and not to the equals sign before it.
    @Test func aValueMayBeginWithAMark() throws {
        let reading = try read(Self.allKeys + "\n[Update]\nEnvironment=MARK=\u{301}x\n")
        #expect(reading.complaints.isEmpty && reading.manifest?.update.environment["MARK"] == "\u{301}x")
    }

    @Test func everyKeyHasItsPlace() throws {
        let reading = try read(Self.allKeys)
        #expect(reading.complaints.isEmpty)
        var plan = UpdatePlan(
            command: ["/usr/libexec/btc", "--currency", "US dollar"], contentProtocol: .json, interval: .minutes(1),
            timeout: .seconds(10))
        plan.updateOnAppear = .minutes(1)
        plan.workingDirectory = "/srv/btc"
        plan.environment = ["LANG": "C", "TITLE": "a b", "EMPTY": ""]
        let id = try #require(WidgetID("org.example.btc"))
        var expected = Manifest(id: id, displayName: "Bitcoin", update: plan)
        expected.summary = "Price of one bitcoin"
        expected.icon = "₿"
        expected.example = "64,210"
        let face: [Face.Key: String] = [
            .label: "BTC", .shape: "card", .format: "{label}: {text}", .width: "12", .click: "menu", .color: "#f7931a",
            .background: "#202020", .border: "accent", .separator: "false",
        ]
        for (key, text) in face { expected.face[key] = text }
        expected.extensionPoints = [.today, .statusBar]
        expected.largestDisplayMode = .expanded
        expected.allowsEditing = true
        expected.allowsCommands = true
        expected.containingApp = "org.example.crypticker"
        expected.appUser = 990
        expected.urlSchemes = ["crypticker", "https"]
        expected.appGroups = ["group.org.example.crypticker"]
        (expected.limits.memory, expected.limits.tasks, expected.limits.processor) = (ByteSize("64M"), 32, 150)
        expected.limits.output = ByteSize(bytes: 512 << 10)
        (expected.sandbox.level, expected.sandbox.network, expected.sandbox.bus) = (.strict, true, true)
        expected.sandbox.readable = [.init("/srv/btc"), .init("/srv/more", isOptional: true)]
        (expected.sandbox.writable, expected.sandbox.devices) = ([.init("/srv/out")], [.init("/dev/dri")])
        var fleet = FleetPlan(.site)
        (fleet.alone, fleet.hash) = (.run, try #require(reading.manifest?.update.fleet?.hash))
        expected.update.fleet = fleet
        #expect(reading.manifest == expected)
    }

    @Test(arguments: [
        ("Stream=yes\n[Fleet]\nScope=fleet", "Scope=: a program with Stream=yes is run by each machine itself"),
        ("[Fleet]\nScope=world", "Scope=: \"world\""), ("[Fleet]\nScope=fleet\nWhenAlone=no", "WhenAlone=: \"no\""),
        ("[Fleet]\nWhenAlone=run", "WhenAlone= has no effect without Scope="),
    ]) func whatAFleetCannotRunIsTold(text: String, complaint: String) throws {
        let complaints = try read("[Update]\nExecStart=/bin/x\n\(text)\n").complaints.map(\.description)
        #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
    }

    @Test func whatIsPushedMayBeTheFleets() throws {
        let reading = try read("[Update]\nProtocol=push\n[Fleet]\nScope=site\n")
        #expect(reading.complaints.isEmpty && reading.manifest?.update.fleet?.scope == .site)
        // Nothing stays that could run.
        #expect(reading.manifest?.update.stays == false)
    }

    @Test func oneLineIsEnough() throws {
        let manifest = try #require(try read("[Update]\nExecStart=./btc.sh\n").manifest)
        let id = try #require(WidgetID("org.example.btc"))
        #expect(
            manifest
                == Manifest(
                    id: id, displayName: "org.example.btc",
                    update: UpdatePlan(command: ["/here/btc.sh"], contentProtocol: .text)))
    }

    @Test func defaultsComeFromTodaydConf() throws {
        var settings = Settings()
        settings.defaultTimeout = .seconds(7)
        settings.defaultMemoryMax = ByteSize("32M")
        settings.defaultOutputMax = ByteSize(bytes: 4096)
        let reader = ManifestReader(settings: settings, uid: { _ in nil })
        let plain = try manifest("", by: reader)
        #expect(plain.update.timeout == .seconds(7))
        #expect(plain.limits.memory == ByteSize("32M"))
        #expect(plain.limits.output.bytes == 4096)
        #expect(try manifest("[Limits]\nMemoryMax=infinity", by: reader).limits.memory == nil)
        #expect(plain.limits.tasks == 256 && plain.limits.processor == nil)
        let limits = try manifest("[Limits]\nTasksMax=infinity\nCPUQuota=150%", by: reader).limits
        #expect(limits.tasks == nil && limits.processor == 150)
        #expect(try manifest("[Limits]\nTasksMax=1\nCPUQuota=infinity", by: reader).limits.tasks == 1)
    }

    @Test(
        arguments: [
            (["Interval=once"], nil, true), (["Interval=once", "Interval=2min"], .minutes(2), true),
            (["Interval=2min", "Interval=once"], nil, true), (["Interval=once", "Interval="], .minutes(5), true),
            (["Interval=Once"], .minutes(5), false), (["Interval=once a day"], .minutes(5), false),
        ] as [([String], TimeSpan?, Bool)])
    func anIntervalMayBeOnce(lines: [String], interval: TimeSpan?, isRight: Bool) throws {
        let text = "[Widget]\n[Update]\nExecStart=/bin/x\n" + lines.joined(separator: "\n")
        let reading = try read(text)
        #expect(reading.complaints.isEmpty == isRight, "\(reading.complaints)")
        if isRight { #expect(try #require(reading.manifest).update.interval == interval) }
    }

    @Test func laterFilesWinAndListsGrowUntilTheyAreEmptied() throws {
        let reading = try read(
            "[Widget]\nAppGroups=a.b c.d\nURLSchemes=one\n[Update]\nExecStart=/bin/x\nInterval=1min\nEnvironment=A=1 B=2",
            "[Widget]\nAppGroups=\nAppGroups=e.f\nURLSchemes=two one\n[Update]\nInterval=2min\nEnvironment=B=3",
            "[Update]\nInterval=\nExecStart=\nExecStart=/bin/y")
        let manifest = try #require(reading.manifest)
        #expect(manifest.appGroups == ["e.f"])
        #expect(manifest.urlSchemes == ["one", "two"])
        #expect(manifest.update.environment == ["A": "1", "B": "3"])
        #expect(manifest.update.interval == UpdatePlan.defaultInterval)
        #expect(manifest.update.command == ["/bin/y"])
        #expect(reading.command?.file == "d2")
        #expect(reading.command?.line == 4)
    }

    @Test(
        arguments: [
            ("C", "Disks"), ("de_DE.UTF-8", "Festplatten"), ("de_CH.UTF-8", "Disketten"), ("fr", "Disks"),
            ("sr_RS@latin", "Diskovi"), ("sr_RS", "Дискови"), ("", "Disks"), ("POSIX", "Disks"),
        ])
    func namesAreChosenByLocale(locale: String, name: String) throws {
        let reader = ManifestReader(locale: MessageLocale(locale), uid: { _ in nil })
        let text = """
            [Widget]
            DisplayName[de_CH]=Disketten
            DisplayName[de]=Festplatten
            DisplayName[sr@latin]=Diskovi
            DisplayName[sr]=Дискови
            DisplayName=Disks
            """
        #expect(try manifest(text, by: reader).displayName == name)
    }

    @Test(
        arguments: [
            ("[Widget]\nDisplayNam=x", "m:4: unknown key DisplayNam= in [Widget]; did you mean DisplayName=?"),
            ("[Update]\nNonsense=x", "m:4: unknown key Nonsense= in [Update]"),
            ("[Widget]\nname=x", "m:4: unknown key name= in [Widget]; did you mean DisplayName=?"),
            ("[Widget]\nExec=x", "m:4: unknown key Exec= in [Widget]; did you mean ExecStart= in [Update]?"),
            ("[Update]\nOnCalendar=1d", "m:4: unknown key OnCalendar= in [Update]; did you mean Interval=?"),
            ("[Limits]\nInterval=5min", "m:4: Interval= belongs into [Update]"),
            ("[Update]\nInterval[de]=5min", "m:4: Interval[de]=: Interval= is not localized"),
            (
                "[Unit]\nAfter=x",
                "m:3: unknown section [Unit]; known are [Fleet] [Limits] [Sandbox] [Settings] [Update] [Widget]"
            ),
            ("Protocol=push", "m:2: ExecStart= has no effect with Protocol=push"),
            ("Stream=yes\nUpdateOnAppear=1min", "m:4: UpdateOnAppear= has no effect with Stream=yes"),
            ("ExecStart=\nProtocol=push\nUpdateOnAppear=1min", "m:5: UpdateOnAppear= has no effect with Protocol=push"),
        ])
    func someThingsAreOnlyWarnings(text: String, complaint: String) throws {
        let reading = try read("[Update]\nExecStart=/bin/x\n" + text)
        #expect(reading.complaints.map(\.description) == [complaint])
        #expect(reading.complaints.first?.severity == .warning)
        #expect(reading.manifest != nil)
    }

    private static let ages: [(lines: String, age: TimeSpan?)] = [
        ("", nil), ("UpdateOnAppear=no", nil), ("UpdateOnAppear=1s", .seconds(1)),
        ("UpdateOnAppear=1min\nUpdateOnAppear=90", .seconds(90)), ("UpdateOnAppear=1min\nUpdateOnAppear=", nil),
        ("UpdateOnAppear=1min\nUpdateOnAppear=No", nil),
    ]

    @Test(arguments: 0..<6) func whoLooksMayMakeItRun(place: Int) throws {
        let (lines, age) = Self.ages[place]
        #expect(try manifest(lines).update.updateOnAppear == age)
    }

    @Test func whatIsPushedIsNotUpdated() throws {
        #expect(try read("[Update]\nProtocol=push\nUpdateOnAppear=no").complaints.isEmpty)
        let manifest = try #require(try read("[Update]\nProtocol=push\nUpdateOnAppear=1min").manifest)
        #expect(manifest.update.updateOnAppear == nil)
    }

    @Test func keysForOthersAreLeftAlone() throws {
        _ = try manifest("X-Mine=1\n[X-Other]\nA=b\n[Widget]\nX-Y=z")
    }

    @Test func pushNeedsNoProgram() throws {
        let manifest = try #require(try read("[Update]\nProtocol=push").manifest)
        #expect(manifest.update.command.isEmpty)
    }
}

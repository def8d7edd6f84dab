// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@Suite struct SettingTests {
    private static func mistake(_ make: () throws(SettingMistake) -> Setting) -> String? {
        do throws(SettingMistake) {
            _ = try make()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: ["CITY", "city", "_", "A1", "SHOW_ALL", "TZ", "LANG", "http_proxy", "TODAYS_MENU", "HOMEPAGE"])
    func namesOfVariablesAreNames(name: String) {
        #expect(SettingName.complaint(about: name) == nil)
    }

    @Test(arguments: [
        ("", "is not the name of a variable"), ("1A", "is not the name of a variable"),
        ("A-B", "is not the name of a variable"), ("Ä", "is not the name of a variable"),
        ("A=B", "is not the name of a variable"), ("TODAY_SOCKET", "are the daemon's"),
        ("TODAYD_VERSION", "are the daemon's"), ("TODAYD", "are the daemon's"), ("PATH", "changes how programs run"),
        ("HOME", "changes how programs run"), ("LD_PRELOAD", "changes how programs run"),
        ("BASH_ENV", "changes how programs run"), ("XDG_RUNTIME_DIR", "changes how programs run"),
        ("LISTEN_FDS", "changes how programs run"), ("PYTHONPATH", "changes how programs run"),
    ])
    func otherNamesAreRefused(name: String, reason: String) {
        #expect(SettingName.complaint(about: name)?.contains(reason) == true)
        #expect(Self.mistake { () throws(SettingMistake) in try Setting(name: name, type: .string) } != nil)
    }

    @Test func aNameHasABoundedLength() {
        let name = String(repeating: "A", count: SettingName.mostBytes)
        #expect(SettingName.complaint(about: name) == nil)
        #expect(SettingName.complaint(about: name + "A") == "the name is longer than 64 bytes")
    }

    // MARK: Declarations

    @Test func theDefaultIsAsTheProgramGetsIt() throws {
        #expect(try Setting(name: "A", type: .boolean, defaultText: "yes").defaultText == "true")
        #expect(try Setting(name: "A", type: .list, defaultText: "a 'b c'").defaultText == "a\nb c")
        #expect(try Setting(name: "A", type: .number, defaultText: " 007 ", maximum: 7).defaultText == "007")
        #expect(try Setting(name: "A", type: .string, defaultText: "").defaultText == "")
    }

    @Test func partsThatDoNotFitAreMistakes() {
        let mistakes: [(String?, String)] = [
            (
                Self.mistake { () throws(SettingMistake) in
                    try Setting(name: "A", type: .number, defaultText: "9", maximum: 5)
                }, "the default \"9\" is more than 5"
            ),
            (
                Self.mistake { () throws(SettingMistake) in
                    try Setting(name: "A", type: .number, minimum: 2, maximum: 1.5)
                }, "min=2 is more than max=1.5"
            ),
            (
                Self.mistake { () throws(SettingMistake) in try Setting(name: "A", type: .string, minimum: 2) },
                "min= and max= are for numbers, and this is a string"
            ),
            (
                Self.mistake { () throws(SettingMistake) in try Setting(name: "A", type: .list, options: ["a"]) },
                "options= is for choices, and this is a list"
            ),
            (
                Self.mistake { () throws(SettingMistake) in try Setting(name: "A", type: .choice) },
                "a choice needs its options: options=\"one other\""
            ),
            (
                Self.mistake { () throws(SettingMistake) in
                    try Setting(name: "A", type: .choice, options: ["a", "a"])
                }, "the option \"a\" is there twice"
            ),
            (
                Self.mistake { () throws(SettingMistake) in
                    try Setting(name: "A", type: .choice, defaultText: "c", options: ["a", "b"])
                }, "the default \"c\" is not one of \"a\", \"b\""
            ),
            (
                Self.mistake { () throws(SettingMistake) in
                    try Setting(name: "A", type: .secret, defaultText: "hunter2")
                }, "a secret has no default, because everybody can read a manifest"
            ),
            (
                Self.mistake { () throws(SettingMistake) in try Setting(name: "A", type: .string, label: "a\nb") },
                "the label is more than one line"
            ),
        ]
        for (found, expected) in mistakes { #expect(found == expected) }
    }

    // MARK: Values

    private static let count = try? Setting(name: "COUNT", type: .number, minimum: 1, maximum: 50)
    private static let units = try? Setting(name: "UNITS", type: .choice, options: ["metric", "New York"])

    private static func setting(_ type: SettingType) throws -> Setting {
        switch type {
        case .number: try #require(count)
        case .choice: try #require(units)
        default: try Setting(name: "A", type: type)
        }
    }

    @Test(
        arguments: [
            (.string, "Bern ", "Bern "), (.string, "", ""), (.string, "a\nb\tc", "a\nb\tc"), (.secret, "x y", "x y"),
            (.number, "10", "10"), (.number, " 1.50 ", "1.50"), (.number, "050", "050"), (.boolean, "yes", "true"),
            (.boolean, "TRUE", "true"), (.boolean, "1", "true"), (.boolean, " off\n", "false"),
            (.boolean, "n", "false"),
            (.choice, "metric", "metric"), (.choice, "New York", "New York"), (.list, "", ""),
            (.list, " a  b ", "a\nb"),
            (.list, "'New York' \"d'Oro\" d'Oro", "New York\nd'Oro\nd'Oro"),
            (.list, "New York\nBern\n", "New York\nBern"),
            (.list, "New York\n", "New York"), (.list, "'' a", "a"),
        ] as [(SettingType, String, String)])
    func aValueIsAsTheProgramGetsIt(type: SettingType, text: String, value: String) throws {
        let setting = try Self.setting(type)
        let read = try setting.value(from: text)
        #expect(read == SettingValue(value, isSecret: type == .secret))
        // What is stored fits again, and a list on one line is the same list.
        #expect(setting.complaint(about: read) == nil)
        if type == .list { #expect(try setting.value(from: Setting.line(ofList: value)).text == value) }
    }

    @Test(
        arguments: [
            (.number, "x", "is not a number such as 10, -3 or 0.5"),
            (.number, "", "is not a number such as 10, -3 or 0.5"),
            (.number, "1e1", "is not a number such as 10, -3 or 0.5"),
            (.number, "+1", "is not a number such as 10, -3 or 0.5"),
            (.number, "1.", "is not a number such as 10, -3 or 0.5"),
            (.number, "nan", "is not a number such as 10, -3 or 0.5"),
            (.number, "٣", "is not a number such as 10, -3 or 0.5"), (.number, "0.9", "is less than 1"),
            (.number, "50.1", "is more than 50"), (.boolean, "maybe", "is neither yes nor no"),
            (.choice, "Metric", "is not one of \"metric\", \"New York\""),
            (.choice, "", "is not one of \"metric\", \"New York\""),
            (.list, "a 'b", "has a quote that is not closed"),
            (.string, "a\u{1b}[2J", "contains a terminal escape sequence"),
            (.secret, "a\u{202e}b", "contains the text direction override U+202E"),
        ] as [(SettingType, String, String)])
    func aValueThatDoesNotFitHasAReason(type: SettingType, text: String, reason: String) throws {
        let setting = try Self.setting(type)
        #expect {
            try setting.value(from: text)
        } throws: {
            ($0 as? SettingMistake)?.reason == reason
        }
    }

    @Test func valuesAreBounded() throws {
        let text = String(repeating: "x", count: Setting.valueBytes)
        for type in [SettingType.string, .secret, .list] {
            let setting = try Self.setting(type)
            #expect(try setting.value(from: text).text == text)
            #expect {
                try setting.value(from: text + "x")
            } throws: {
                ($0 as? SettingMistake)?.reason == "is longer than 16384 bytes"
            }
        }
        let words = Array(repeating: "w", count: Setting.mostWords).joined(separator: " ")
        let list = try Self.setting(.list)
        #expect(try list.value(from: words).text.split(separator: "\n").count == 64)
        #expect {
            try list.value(from: words + " w")
        } throws: {
            ($0 as? SettingMistake)?.reason == "has more than 64 words"
        }
    }

    /// The same letters in another encoding are another value.
    @Test func valuesAreEqualWhenTheirBytesAre() {
        #expect(SettingValue("\u{e9}") != SettingValue("e\u{301}"))
    }

    // MARK: What the widget gets

    @Test(
        arguments: [
            (.number, SettingValue("51"), "is more than 50"), (.number, SettingValue(" 5"), "is not a number"),
            (.choice, SettingValue("imperial"), "is not one of \"metric\", \"New York\""),
            (.string, SettingValue("hunter2", isSecret: true), "was set as a secret, and is no longer one"),
            (.boolean, SettingValue("yes"), "is not a boolean"), (.secret, SettingValue("plain"), nil),
        ] as [(SettingType, SettingValue, String?)])
    func aValueOfAnEarlierDeclarationMayNotFit(type: SettingType, value: SettingValue, reason: String?) throws {
        let setting = try Self.setting(type)
        #expect(setting.complaint(about: value) == reason)
        #expect(setting.text(choosing: value) == (reason == nil ? value.text : nil))
        let status = SettingStatus(setting, choosing: value)
        #expect(status.isSet == (reason == nil))
        #expect(status.complaint == reason)
    }

    private static func manifest(_ settings: [Setting]) throws -> Manifest {
        var manifest = Manifest(
            id: try #require(WidgetID("org.example.a")), displayName: "A",
            update: UpdatePlan(command: ["/x"], contentProtocol: .text))
        manifest.settings = settings
        return manifest
    }

    @Test func defaultsStandBehindWhatIsSet() throws {
        let manifest = try Self.manifest([
            try Setting(name: "CITY", type: .string, defaultText: "Berlin"), try Setting(name: "TOKEN", type: .secret),
            try Setting(name: "COUNT", type: .number, defaultText: "3", maximum: 5),
        ])
        #expect(manifest.settingTexts(choosing: [:]) == ["CITY": "Berlin", "COUNT": "3"])
        let values = [
            "CITY": SettingValue("Bern"), "TOKEN": SettingValue("t", isSecret: true), "COUNT": SettingValue("9"),
            "GONE": SettingValue("g"),
        ]
        #expect(manifest.settingTexts(choosing: values) == ["CITY": "Bern", "TOKEN": "t", "COUNT": "3"])
    }

    /// The hash must not change between two versions of todayd: each change runs all widgets with settings.
    @Test func theHashIsOfWhatTheUserHasSet() throws {
        let city = try Setting(name: "CITY", type: .string, defaultText: "Berlin")
        let manifest = try Self.manifest([city, try Setting(name: "COUNT", type: .number, maximum: 5)])
        #expect(manifest.settingsHash(of: [:]) == nil)
        #expect(manifest.settingsHash(of: ["GONE": SettingValue("g"), "COUNT": SettingValue("9")]) == nil)
        let bern = manifest.settingsHash(of: ["CITY": SettingValue("Bern")])
        #expect(bern == 0x1f01_e8d4_1937_54c3)
        #expect(bern != manifest.settingsHash(of: ["CITY": SettingValue("Genf")]))
        #expect(manifest.settingDefaultsHash != nil)
        let others = try Self.manifest([try Setting(name: "CITY", type: .string, defaultText: "Hamburg")])
        #expect(manifest.settingDefaultsHash != others.settingDefaultsHash)
        #expect(try Self.manifest([]).settingDefaultsHash == nil)
    }

    // MARK: What clients get

    @Test func aStatusSurvivesItsJSON() throws {
        let setting = try Setting(
            name: "COUNT", type: .number, label: "How many", defaultText: "10", minimum: 1, maximum: 50)
        for value in [nil, SettingValue("7"), SettingValue("70")] {
            let status = SettingStatus(setting, choosing: value)
            #expect(try SettingStatus(JSONField(root: status.json)) == status)
        }
        let units = SettingStatus(try Self.setting(.choice), choosing: SettingValue("metric"))
        #expect(try SettingStatus(JSONField(root: units.json)) == units)
        #expect(units.json["options"] == ["metric", "New York"])
    }

    @Test func aStatusHasNoSecret() throws {
        let status = SettingStatus(try Self.setting(.secret), choosing: SettingValue("hunter2", isSecret: true))
        #expect(status.isSet)
        #expect(status.json == ["name": "A", "type": "secret", "isSet": true])
        let text = SettingStatus(try Self.setting(.string), choosing: SettingValue("hunter2", isSecret: true))
        #expect(!text.json.text.contains("hunter2"))
    }
}

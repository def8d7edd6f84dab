// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Registry

/// `[Settings]` of manifests.
@Suite struct SettingDeclarationTests {
    private func read(_ texts: String..., head: String = "[Update]\nExecStart=/bin/true\n") throws
        -> ManifestReader.Reading
    {
        let files = texts.enumerated().map { number, text in
            UnitFile(
                path: number == 0 ? "a.widget" : "\(number).conf",
                bytes: Array(((number == 0 ? head : "") + "[Settings]\n" + text).utf8),
                sections: ManifestReader.sections)
        }
        return ManifestReader(uid: { _ in nil }).read(try #require(WidgetID("org.example.a")), files) { "/" }
    }

    @Test func eachTypeIsDeclaredInOneLine() throws {
        let reading = try read(
            """
            CITY=string label="Your city" default=Berlin
            COUNT=number min=1 max=50 default=10
            UNITS=choice options="metric 'US customary'" option="Old French" default=metric
            TOKEN=secret label='API key'
            SHOW_ALL=boolean default=yes
            TAGS=list default="a b"
            """)
        #expect(reading.complaints.isEmpty)
        #expect(
            try #require(reading.manifest).settings == [
                try Setting(name: "CITY", type: .string, label: "Your city", defaultText: "Berlin"),
                try Setting(name: "COUNT", type: .number, defaultText: "10", minimum: 1, maximum: 50),
                try Setting(
                    name: "UNITS", type: .choice, defaultText: "metric",
                    options: ["metric", "US customary", "Old French"]),
                try Setting(name: "TOKEN", type: .secret, label: "API key"),
                try Setting(name: "SHOW_ALL", type: .boolean, defaultText: "yes"),
                try Setting(name: "TAGS", type: .list, defaultText: "a b"),
            ])
    }

    @Test func aDropInChangesPartsOrAll() throws {
        let reading = try read(
            "CITY=string label=\"Your city\" default=Berlin\nCOUNT=number max=5\nGONE=string\n",
            "CITY=default=Hamburg\nCOUNT=string\nGONE=\nNEW=boolean\n")
        #expect(reading.complaints.isEmpty)
        #expect(
            try #require(reading.manifest).settings == [
                try Setting(name: "CITY", type: .string, label: "Your city", defaultText: "Hamburg"),
                try Setting(name: "COUNT", type: .string), try Setting(name: "NEW", type: .boolean),
            ])
    }

    @Test func theOptionsOfALaterLineReplaceThoseOfTheFirst() throws {
        let reading = try read("U=choice options=\"a b\"", "U=option=c option=d default=d")
        #expect(reading.manifest?.settings.first?.options == ["c", "d"])
        #expect(reading.manifest?.settings.first?.defaultText == "d")
    }

    @Test(arguments: [
        ("A=text", "A=: \"text\" is unknown; known are string, number, boolean, choice, secret, list"),
        ("A=strnig", "A=: \"strnig\" is unknown; did you mean string?"),
        ("A=default=x", "A=: no earlier line declares this setting, so its type comes first: string, number"),
        ("A=number default=x", "A=: the default \"x\" is not a number such as 10, -3 or 0.5"),
        ("A=number min=x", "A=: min=\"x\" is not a number such as 10, -3 or 0.5"),
        ("A=string label=Your city", "A=: \"city\" is not key=value; a value with spaces needs quotes"),
        ("A=string defualt=x", "A=: \"defualt\" is unknown; did you mean default=?"),
        ("A=string \"label=x", "A=: the quote \" is not closed"),
        ("A=choice", "A=: a choice needs its options: options=\"one other\""),
        ("A=secret default=x", "A=: a secret has no default, because everybody can read a manifest"),
        ("PATH=string", "PATH=: the variable PATH changes how programs run, so no setting may have its name"),
        ("TODAY_X=string", "TODAY_X=: names in TODAY_ and TODAYD are the daemon's"),
        ("A.B=string", "A.B=: \"A.B\" is not the name of a variable: letters, digits and _, no digit first"),
    ])
    func aWrongDeclarationIsAnErrorWithFileAndLine(line: String, reason: String) throws {
        let reading = try read("X=string\n\(line)\n")
        #expect(reading.manifest == nil)
        let complaint = try #require(reading.complaints.first)
        #expect(complaint.severity == .error)
        #expect(complaint.file == "a.widget" && complaint.line == 5)
        #expect(complaint.reason.hasPrefix(reason), "\(complaint.reason)")
        // What can be read is still known, for people.
        #expect(reading.described.settings.map(\.name) == ["X"])
    }

    @Test func aNameHasNoTranslations() throws {
        let reading = try read("CITY=string\nCITY[de]=string\n")
        #expect(reading.complaints.map(\.reason) == ["CITY[de]=: CITY= is not localized"])
        #expect(reading.manifest != nil)
    }

    @Test func aWidgetHasABoundedNumberOfSettings() throws {
        let lines = (0..<Setting.most).map { "A\($0)=string\n" }.joined()
        #expect(try read(lines).manifest?.settings.count == 64)
        #expect(try read(lines + "B=string\n").complaints.map(\.reason) == ["B=: more than 64 settings"])
        // A later line of a known name is none more.
        #expect(try read(lines + "A0=boolean\n").manifest?.settings.first?.type == .boolean)
    }

    @Test func withoutAProgramSettingsHaveNoEffect() throws {
        let reading = try read("CITY=string\nCOUNT=number\n", head: "[Update]\nProtocol=push\n")
        #expect(reading.complaints.map(\.reason) == ["CITY= has no effect with Protocol=push"])
        #expect(reading.manifest?.settings == [])
    }

    /// A setting is not a key of another section, whatever its name is.
    @Test func aSettingMayBeNamedLikeAKey() throws {
        let reading = try read("ExecStart=string\nInterval=number\n")
        #expect(reading.complaints.isEmpty)
        #expect(reading.command?.line == 2)
        #expect(reading.manifest?.settings.map(\.name) == ["ExecStart", "Interval"])
    }

    @Test func specifiersAreReplacedInDefaults() throws {
        #expect(try read("A=string default=50%%").manifest?.settings.first?.defaultText == "50%")
    }
}

// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import Formats

@Suite struct MenuPicturesTests {
    private static let png = "iVBORw0KGgoAAAA"

    private static func read(_ text: String) throws -> ReadContent {
        try MenuFormat(.xbar).content(from: Array(text.utf8))
    }

    @Test func linesOfTheBarAndOfTheMenuHavePictures() throws {
        let read = try Self.read("x | image=\(Self.png)\n---\ny | templateImage=\(Self.png) href=https://a.b\n")
        #expect(read.lines.isEmpty)
        let json = read.content.json
        #expect(json["compact"]?["children"]?.arrayValue?.first == ["type": "image", "png": .string(Self.png)])
        let menu = json["expanded"]?["children"]?.arrayValue?.last
        #expect(menu?["png"] == .string(Self.png) && menu?["title"] == "y")
    }

    @Test func aPictureAloneHasADotForHostsWithoutPictures() throws {
        let content = try Self.read("| image=\(Self.png)\n").content
        #expect(content.text == "●")
        #expect(content.compact?.json == ["type": "image", "png": .string(Self.png), "label": "●"])
    }

    @Test func aDataURLIsAPicture() throws {
        let content = try Self.read("| image=data:image/png;base64,\(Self.png)\n").content
        #expect(content.pictureNames == [PNG.data(Self.png).name])
    }

    static let wrong: [(value: String, note: String)] = [
        ("image=R0lGODlh", "line 1: image= is not a PNG file in base64"),
        ("image=/home/a/icon.png", "line 1: image= is not a PNG file in base64"),
        ("image=iVBORw0KGg\(String(repeating: "A", count: 5_000_000))", "line 1: image= is longer than 262144 bytes"),
    ]

    @Test(arguments: wrong) func whatIsNoPictureIsANote(value: String, note: String) throws {
        let read = try Self.read("x | \(value)\n")
        #expect(read.content.text == "x" && read.content.pictureNames.isEmpty && read.lines == [note])
    }

    /// Pictures leave out no line, and the note comes once.
    @Test func manyPicturesKeepTheText() throws {
        let picture = "iVBORw0KGg" + String(repeating: "A", count: 49_990)
        let lines = (1...10).map { "line \($0) | image=\(picture)\n" }
        let read = try Self.read("bar\n---\n" + lines.joined())
        let menu = try #require(read.content.json["expanded"]?["children"]?.arrayValue)
        #expect(menu.compactMap { $0["title"]?.stringValue }.suffix(10) == (1...10).map { "line \($0)" })
        #expect(menu.filter { $0["png"] != nil }.count == 4)
        #expect(read.lines == ["line 7: image= is left out, as the pictures are more than 200000 bytes of base64"])
        #expect(read.content.json.text.utf8.count < ContentLimits.contentBytes)
    }
}

// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// `Protocol=i3blocks`: the full text, the short text, the colour and the background, one a line; or lines of the i3bar
/// protocol, of which the last one counts (docs/content.md).
enum I3BlocksFormat {
    /// The exit status of a program whose content is urgent.
    static let urgentStatus: Int32 = 33

    static func content(from output: ProgramOutput) throws(OutputError) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let bytes = LenientText.bytes(of: output.bytes) { read.note($0) }
        if let found = try I3BarObject.last(in: bytes) {
            for note in found.notes { read.note(note) }
            I3BarObject.read(found, into: &read)
        } else {
            readLines(bytes, into: &read)
        }
        if output.status == urgentStatus { read.content.severity = .critical }
        read.content.isEmpty = read.content.text.isEmpty
        // i3blocks tells its programs about every click.
        read.content.takesClicks = true
        return read
    }

    private static func readLines(_ bytes: [UInt8], into read: inout ReadContent) {
        var lines = ByteLines(bytes[...])
        while let line = lines.next() {
            let line = line.trimmed
            switch lines.number {
            case 1: setText(line.text, isMarkup: PangoText.isMarkup(line.text), at: "line 1", in: &read)
            case 2:
                read.content.short = short(
                    line.text, isMarkup: PangoText.isMarkup(line.text), at: "line 2", noting: &read)
            // Content has no background colour.
            case 3, 4:
                guard !line.isEmpty else { continue }
                guard let color = CSSColor.color(line.text) else {
                    read.note(
                        "line \(lines.number): \(JSONField.quoted(line.prefix(64).text)) is not a colour such as #ff0000"
                    )
                    continue
                }
                if lines.number == 3 { read.content.color = color }
            default:
                guard line.isEmpty else {
                    read.note("line \(lines.number) and what follows are not shown: a block has four lines")
                    return
                }
            }
        }
    }

    /// - Parameter place: the line, or the field.
    static func setText(_ text: String, isMarkup: Bool, at place: String, in read: inout ReadContent) {
        guard isMarkup else {
            read.content.text = LenientText.summary(text)
            return
        }
        let pango = read.markup(text, at: place)
        read.content.text = LenientText.summary(pango.text)
        read.content.color = read.content.color ?? pango.color
    }

    static func short(
        _ text: String, isMarkup: Bool, at place: String, noting read: inout ReadContent
    ) -> String? {
        LenientText.short(isMarkup ? read.markup(text, at: place).text : text)
    }
}

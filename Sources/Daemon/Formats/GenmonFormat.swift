// SPDX-License-Identifier: MIT
import TodayModel

/// `Protocol=genmon`: the tags of xfce4-genmon, `<txt>62 %</txt>` and others, or plain text (docs/content.md).
enum GenmonFormat {
    static func content(from output: [UInt8]) throws(OutputError) -> ReadContent {
        var read = ReadContent(Content(text: ""))
        let bytes = LenientText.bytes(of: output) { read.note($0) }
        let tags = GenmonTags(bytes)
        for note in tags.notes { read.note(note) }
        guard !tags.isEmpty else {
            let rows = setText(bytes[...].text, at: "the text", in: &read)
            show(rows, in: &read.content)
            read.content.isEmpty = read.content.text.isEmpty
            return read
        }
        let lines = setText(tags[.txt] ?? "", at: "<txt>", in: &read)
        if let tool = tags[.tool] { read.content.tooltip = LenientText.block(read.markup(tool, at: "<tool>").text) }
        if let icon = tags[.icon].flatMap(LenientText.short) {
            if icon.utf8.count <= ContentLimits.iconBytes {
                read.content.icon = icon
            } else {
                read.note("<icon> is longer than \(ContentLimits.iconBytes) bytes")
            }
        }
        if let bar = tags[.bar] { read.setPercentage(bar, at: "<bar>") }
        setTextOfOthers(tags, in: &read.content)
        if read.content.text.isEmpty, tags[.img] != nil { read.note("<img> is not shown; give a text in <txt>") }
        show(lines + bar(read.content.percentage) + items(tags, noting: &read), in: &read.content)
        read.content.isEmpty = read.content.text.isEmpty
        return read
    }

    /// The first line that is not blank is the summary.
    ///
    /// - Returns: the rows of the other lines.
    private static func setText(_ markup: String, at place: String, in read: inout ReadContent) -> [View] {
        let pango = read.markup(markup, at: place)
        read.content.color = pango.color
        let (lines, count) = LenientText.split(LenientText.trimmed(pango.text), most: RowList.most)
        read.content.text = LenientText.summary(lines.first ?? "")
        var rows = RowList()
        for line in lines.dropFirst() { rows.add(line: line) }
        rows.leaveOut(count - lines.count)
        return rows.views()
    }

    /// The summary of a program that shows only a bar or an icon.
    private static func setTextOfOthers(_ tags: GenmonTags, in content: inout Content) {
        guard content.text.isEmpty else { return }
        if let percentage = content.percentage {
            content.text = "\(Int(percentage.rounded())) %"
        } else if content.icon != nil || tags[.img] != nil {
            let tooltip = content.tooltip.map { LenientText.split($0, most: 1).lines.first ?? "" }
            content.text = LenientText.summary(tooltip ?? content.icon ?? "")
        }
    }

    private static func bar(_ percentage: Double?) -> [View] {
        percentage.map { [.progress(View.Progress(value: $0 / 100))] } ?? []
    }

    /// An item for each command of a click. The text and the icon often have the same command.
    private static func items(_ tags: GenmonTags, noting read: inout ReadContent) -> [View] {
        var commands: [[String]] = []
        var items: [View] = []
        for name in [GenmonTags.Name.click, .txtclick, .iconclick] {
            guard let text = tags[name], !text.isEmpty else { continue }
            switch CommandWords.split(text) {
            case .refused(let reason): read.note("<\(name.rawValue)> \(reason)")
            case .words(let words):
                guard !commands.contains(words) else { continue }
                commands.append(words)
                var item = View.Item(title: LenientText.summary(text))
                item.command = View.Command(words)
                items.append(.item(item))
            }
        }
        return items
    }

    /// Adds a view below the summary, if there is anything to show in it.
    private static func show(_ rows: [View], in content: inout Content) {
        guard !rows.isEmpty, !content.text.isEmpty else { return }
        content.compact = .stack(View.Stack(.vertical, [.text(View.Text(content.text))] + rows))
    }
}

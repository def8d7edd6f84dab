// SPDX-License-Identifier: MIT

import TodayModel

/// A heavy line on a light one, in steps of half a cell. In ASCII it consists of `#` and `-` in brackets.
struct ProgressBar {
    /// A wider bar shows no more.
    static let maximumWidth = 40

    /// 0 to 1. The initializer clamps other values.
    let value: Double
    let style: Style
    /// The style of the unfilled part.
    let track: Style

    init(value: Double, tint: Color?, track: Color? = nil) {
        self.value = value.isFinite ? min(max(value, 0), 1) : 0
        style = Style(color: tint ?? .meaning(.accent))
        self.track = track.map { Style(color: $0) } ?? .dim
    }

    /// The bar, exactly `width` cells wide but at least 3.
    func line(width: Int, _ charset: Charset) -> StyledLine {
        let cells = max(width, 3)
        var line = StyledLine()
        switch charset {
        case .unicode:
            let filled = steps(of: cells * 2)
            let heavy = String(repeating: "━", count: filled / 2) + (filled % 2 == 0 ? "" : "╸")
            line.append(Printable(heavy, .unicode), style)
            line.append(Printable(String(repeating: "─", count: cells - (filled + 1) / 2), .unicode), track)
        case .ascii:
            let filled = steps(of: cells - 2)
            line.append(Printable("[", .ascii))
            line.append(Printable(String(repeating: "#", count: filled), .ascii), style)
            line.append(Printable(String(repeating: "-", count: cells - 2 - filled), .ascii), track)
            line.append(Printable("]", .ascii))
        }
        return line
    }

    /// The value in whole steps. A value above 0 has at least one step, and a value below 1 lacks at least one.
    private func steps(of whole: Int) -> Int {
        let rounded = Int((value * Double(whole)).rounded())
        if value > 0 && rounded == 0 { return 1 }
        if value < 1 && rounded == whole { return whole - 1 }
        return rounded
    }
}

/// Progress views as rows: label, bar, and value.
struct ProgressRows {
    let presentation: Presentation
    /// Whether long labels and values get lines of their own. Otherwise they are cut.
    let isWhole: Bool

    /// One row. If nothing may be cut, a label or a value that is too long for the row of the bar gets lines of its own.
    func lines(_ progress: View.Progress, labelWidth: Int, width: Int) -> [StyledLine] {
        let label = presentation.printable(progress.label ?? "")
        let value = valueText(of: progress)
        let isLabelLong = label.width > labelWidth
        let left = width - (isLabelLong || labelWidth == 0 ? 0 : labelWidth + 1)
        guard isWhole, isLabelLong || value.width > left else {
            return [line(progress, labelWidth: labelWidth, width: width)]
        }
        let above = label.width == 0 ? [] : label.wrapped(width).map { StyledLine($0) }
        return above
            + (value.width > width
                ? value.wrapped(width).map { StyledLine($0) } : [line(progress, labelWidth: 0, width: width)])
    }

    /// Label, bar and value in one row. Rows that share a label width have their bars aligned.
    func line(_ progress: View.Progress, labelWidth: Int, width: Int) -> StyledLine {
        var line = StyledLine()
        if labelWidth > 0 {
            let label = presentation.line(progress.label ?? "")
            line.append(presentation.truncated(label, labelWidth).padded(labelWidth))
            line.appendSpaces(1)
        }
        let value = valueText(of: progress)
        let valueWidth = max(value.width, 4)
        let room = width - line.width - valueWidth - 1
        if room >= 3 {
            line.append(
                ProgressBar(value: progress.value, tint: progress.tint, track: progress.track)
                    .line(width: min(room, ProgressBar.maximumWidth), presentation.charset))
            line.appendSpaces(1)
        }
        line.append(StyledLine(value).padded(valueWidth, .trailing))
        return presentation.truncated(line, width)
    }

    /// The label width of rows below each other: the widest label, at most half of the width.
    func labelWidth(_ views: [View], width: Int) -> Int {
        let widths = views.map { view -> Int in
            guard case .progress(let progress) = view, let label = progress.label else { return 0 }
            return presentation.printable(label).width
        }
        return min(widths.max() ?? 0, width / 2)
    }

    /// The text after the bar: its own, or otherwise the percentage.
    func valueText(of progress: View.Progress) -> Printable {
        presentation.printable(progress.text ?? NumberText.percentage(progress.value))
    }
}

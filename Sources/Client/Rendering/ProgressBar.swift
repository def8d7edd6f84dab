// SPDX-License-Identifier: MIT

import TodayModel

/// A bar in eighths of a cell, or of `#` and `-` where there are only ASCII characters.
struct ProgressBar {
    /// 0 to 1; anything else is taken for the nearer end.
    let value: Double
    let style: Style
    /// The part that is not filled; nil leaves it as empty as the charset allows.
    let track: Style?

    init(value: Double, tint: Color?, track: Color? = nil) {
        self.value = value.isFinite ? min(max(value, 0), 1) : 0
        style = Style(color: tint ?? .meaning(.accent))
        self.track = track.map { Style(color: $0) }
    }

    /// The bar alone, exactly `width` cells with its two ends; 3 at least.
    func line(width: Int, _ charset: Charset) -> Line {
        let cells = max(width - 2, 1)
        var line = Line()
        switch charset {
        case .unicode:
            let filled = steps(of: cells * 8)
            let partial = filled % 8 == 0 ? "" : Self.partialBlocks[filled % 8 - 1]
            let used = filled / 8 + (partial.isEmpty ? 0 : 1)
            line.append(Printable("▕", .unicode), .dim)
            line.append(Printable(String(repeating: "█", count: filled / 8) + partial, .unicode), style)
            if let track {
                line.append(Printable(String(repeating: "░", count: cells - used), .unicode), track)
            } else {
                line.appendSpaces(cells - used)
            }
            line.append(Printable("▏", .unicode), .dim)
        case .ascii:
            let filled = steps(of: cells)
            line.append(Printable("[", .ascii))
            line.append(Printable(String(repeating: "#", count: filled), .ascii), style)
            line.append(Printable(String(repeating: "-", count: cells - filled), .ascii), track ?? .dim)
            line.append(Printable("]", .ascii))
        }
        return line
    }

    private static let partialBlocks = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// The value in whole steps. Something is never shown as nothing, nor nearly all as all.
    private func steps(of whole: Int) -> Int {
        let rounded = Int((value * Double(whole)).rounded())
        if value > 0 && rounded == 0 { return 1 }
        if value < 1 && rounded == whole { return whole - 1 }
        return rounded
    }
}

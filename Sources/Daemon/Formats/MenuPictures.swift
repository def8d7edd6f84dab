// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// How many more bytes of pictures a menu may have. It counts down while lines are read. It is separate from the budget of the
/// text, so that pictures displace no lines.
struct MenuPictures {
    /// Together with the budgets of the text, less than content may have.
    private static let most = 200_000

    private var bytesLeft = Self.most
    private var hasTold = false

    /// The picture of a line; nil if todayd cannot keep it. The notes say only once that there are too many.
    ///
    /// - Parameter times: in how many places it is drawn.
    mutating func take(_ text: String, times: Int, noting note: (String) -> Void) -> PNG? {
        var base64 = text[...]
        if base64.hasPrefix(Self.dataURL) { base64 = base64.dropFirst(Self.dataURL.count) }
        let png: PNG
        do throws(PNG.Defect) {
            png = try PNG(base64: String(base64))
        } catch {
            note("image= \(error.reason)")
            return nil
        }
        let cost = times * base64.utf8.count
        guard cost <= bytesLeft else {
            if !hasTold { note("image= is left out, as the pictures are more than \(Self.most) bytes of base64") }
            hasTold = true
            return nil
        }
        bytesLeft -= cost
        return png
    }

    private static let dataURL = "data:image/png;base64,"
}

/// The SF Symbols that plugins use most, as emoji. No font on Linux has all of them.
enum MenuSymbols {
    /// Nil for a symbol that is not in the table.
    static func emoji(_ name: String) -> String? {
        let name = name.lowercased()
        return byName[name] ?? byName[Self.withoutShape(name)]
    }

    /// The text with emoji in place of words such as `:sun.max:`. A name with a dot that is not in the table is dropped,
    /// because it is not meant for people.
    static func replacingNames(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.utf8.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return String(word) }
            let name = word.dropFirst().dropLast()
            if let emoji = emoji(String(name)) { return emoji }
            return isSymbolName(name) ? "" : String(word)
        }.joined(separator: " ")
    }

    /// `sun.dust`, but neither `mushroom` nor `10.5`.
    private static func isSymbolName(_ name: Substring) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isSmall = { (byte: UInt8) in 0x61...0x7a ~= byte }
        return parts.count > 1 && parts.first?.first.map(isSmall) == true
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { isSmall($0) || $0.isDigit } }
    }

    /// `bolt.circle.fill` is a bolt.
    private static func withoutShape(_ name: String) -> String {
        var parts = name.split(separator: ".")
        while parts.count > 1, let last = parts.last, ["fill", "circle", "square"].contains(last) { parts.removeLast() }
        return parts.joined(separator: ".")
    }

    private static let byName: [String: String] = [
        "airplane": "✈️", "arrow.clockwise": "🔄", "arrow.down": "⬇️", "arrow.triangle.2.circlepath": "🔄",
        "arrow.up": "⬆️", "battery.0": "🪫", "battery.100": "🔋", "battery.100.bolt": "🔋", "battery.25": "🔋",
        "battery.50": "🔋", "battery.75": "🔋", "bell": "🔔", "bell.slash": "🔕", "bolt": "⚡", "calendar": "📅",
        "chart.bar": "📊", "checkmark": "✅", "clock": "🕐", "cloud": "☁️", "cloud.rain": "🌧️", "cpu": "🧮",
        "cup.and.saucer": "☕", "desktopcomputer": "🖥️", "doc": "📄", "drop": "💧", "envelope": "✉️",
        "exclamationmark.triangle": "⚠️", "flame": "🔥", "folder": "📁", "gear": "⚙️", "gearshape": "⚙️", "globe": "🌐",
        "heart": "❤️", "house": "🏠", "internaldrive": "💽", "key": "🔑", "laptopcomputer": "💻", "link": "🔗",
        "lock": "🔒", "lock.open": "🔓", "magnifyingglass": "🔍", "moon": "🌙", "music.note": "🎵", "network": "🌐",
        "pause": "⏸️", "pencil": "✏️", "person": "👤", "play": "▶️", "snowflake": "❄️", "speaker.wave.2": "🔊", "star": "⭐",
        "stop": "⏹️", "sun.max": "☀️", "terminal": "💻", "thermometer": "🌡️", "timer": "⏲️", "trash": "🗑️", "wifi": "📶",
        "wrench": "🔧", "xmark": "❌",
    ]
}

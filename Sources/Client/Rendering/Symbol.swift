// SPDX-License-Identifier: MIT

/// Pictures a terminal can show: an emoji as it is, and emoji in place of the more usual names of the freedesktop icon
/// naming specification.
enum Symbol {
    /// Nil where there is nothing to show: an unknown name, or a terminal that has ASCII characters only.
    static func glyph(_ name: String, _ charset: Charset) -> Printable? {
        guard charset == .unicode, let first = name.first else { return nil }
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // One letter or sign stands for itself.
            if name.utf8.count == 1 { return Printable(name, charset) }
            return emoji(named: name[...]).map { Printable($0, charset) }
        }
        let symbol = Printable(String(first), charset)
        return symbol.isBlank ? nil : symbol
    }

    /// Looks for `battery-low-symbolic`, then `battery-low`, then `battery`, as icon themes do.
    private static func emoji(named name: Substring) -> String? {
        var name = name
        while true {
            if let emoji = names[name] { return emoji }
            guard let dash = name.lastIndex(of: "-") else { return nil }
            name = name[..<dash]
        }
    }

    private static let names: [Substring: String] = [
        "audio": "🔊", "audio-volume-muted": "🔇", "battery": "🔋", "battery-low": "🪫", "call": "📞", "camera": "📷",
        "computer": "💻", "cpu": "🧮", "dialog-error": "❌", "dialog-information": "💡", "dialog-password": "🔑",
        "dialog-warning": "⚠️", "drive": "💾", "edit-delete": "🗑️", "emblem-favorite": "⭐", "folder": "📁",
        "go-home": "🏠", "mail": "✉️", "mail-unread": "📬", "media": "🎵", "network": "🌐", "network-offline": "📴",
        "preferences": "⚙️", "printer": "🖨️", "process-stop": "🛑", "security": "🔒", "software-update": "📦",
        "system": "⚙️", "text": "📄", "trophy": "🏆", "user": "👤", "user-trash": "🗑️", "utilities-terminal": "🖥️",
        "weather-clear": "☀️", "weather-clear-night": "🌙", "weather-few-clouds": "⛅", "weather-fog": "🌫️",
        "weather-overcast": "☁️", "weather-severe-alert": "🌪️", "weather-showers": "🌧️", "weather-snow": "🌨️",
        "weather-storm": "⛈️", "x-office-calendar": "📅", "appointment": "⏰", "alarm": "⏰",
    ]
}

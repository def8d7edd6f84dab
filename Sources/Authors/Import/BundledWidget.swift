// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// The widgets of todayd that show what a built-in module of another host shows.
enum BundledWidget {
    /// Those that exist without being added.
    private static let present: [String: String] = [
        "cpu": "load", "load": "load", "memory": "load", "cpu_usage": "load", "disk": "disk", "disk_space": "disk",
        "filesystem": "disk", "fs": "disk", "systemd-failed-units": "units", "service_status": "units",
        "uptime": "host", "battery": "battery", "network": "network", "net": "network", "mpris": "media",
        "mpd": "media",
        "music": "media", "packages": "updates", "apt": "updates", "pacman": "updates", "dnf": "updates",
    ]

    /// A widget that `todayctl add` adds, and the setting that has the value of the module's first key of these.
    private struct Offer {
        let name: String
        var setting = ""
        var keys: [String] = []
        /// Whether it replaces the module only if there is a value: the world clock replaces only a clock with a time zone.
        var needsValue = false
    }

    private static let clock = Offer(
        name: "clock", setting: "zones", keys: ["timezones", "timezone"], needsValue: true)
    private static let volume = Offer(name: "volume")
    private static let offers: [String: Offer] = [
        "clock": clock, "time": clock,
        "weather": Offer(name: "weather", setting: "city", keys: ["coordinates", "place"]),
        "maildir": Offer(name: "mail", setting: "mail_source", keys: ["inboxes"]), "pulseaudio": volume,
        "wireplumber": volume, "sound": volume, "alsa": volume, "docker": Offer(name: "containers"),
        "github": Offer(name: "repositories"),
    ]

    /// What to say of a built-in module. Its name may have the host's prefix and suffix: `internal/cpu`, `disk#home`. The
    /// suffix names the instance, so that two modules of a kind become two widgets.
    ///
    /// - Parameter value: the value of a key of the module.
    static func remark(about module: String, of host: String, _ value: (String) -> JSON? = { _ in nil }) -> String {
        let parts = module.split(separator: "#", maxSplits: 1)
        let base = parts.first?.split(separator: "/").last.map(String.init) ?? module
        let builtIn = "\(module) is built into \(host): "
        guard base.utf8.count < 64 else { return builtIn + "there is no program to import" }
        if let name = present[base] { return builtIn + "org.todayd.\(name) shows the same" }
        guard let offer = offers[base] else { return builtIn + "there is no program to import" }
        let setting = offer.keys.compactMap { value($0).flatMap(words) }.first
        if offer.needsValue, setting == nil { return builtIn + "there is no program to import" }
        let instance = parts.count > 1 && parts[1].utf8.allSatisfy(isPlain) ? "@\(parts[1])" : ""
        let argument = setting.map { " \"\(offer.setting)=\($0)\"" } ?? ""
        return builtIn + "'todayctl add \(offer.name)\(instance)\(argument)' shows the same"
    }

    /// A value as one argument: coordinates and the first of several folders are one word, zones are several. Nil for text that
    /// a shell might interpret.
    private static func words(_ value: JSON) -> String? {
        let elements = value.arrayValue ?? [value]
        let texts = elements.compactMap { $0.stringValue ?? $0.doubleValue.map { "\($0)" } }
        let isCoordinates = texts.count == 2 && texts.allSatisfy { Double($0) != nil }
        let text = texts.joined(separator: isCoordinates ? "," : " ")
        return texts.count == elements.count && !text.isEmpty && text.utf8.allSatisfy { isPlain($0) || $0 == 0x20 }
            ? text : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "+,-./_~".utf8.contains(byte)
    }
}

// SPDX-License-Identifier: MIT

/// The widgets of todayd that show what a built-in module of another host shows.
enum BundledWidget {
    private static let widgets: [String: String] = [
        "cpu": "org.todayd.load", "load": "org.todayd.load", "memory": "org.todayd.load",
        "cpu_usage": "org.todayd.load",
        "disk": "org.todayd.disk", "disk_space": "org.todayd.disk", "filesystem": "org.todayd.disk",
        "fs": "org.todayd.disk",
        "systemd-failed-units": "org.todayd.units", "service_status": "org.todayd.units",
        "uptime": "org.todayd.host",
    ]

    /// What to say of a built-in module. Its name may have the host's prefix and suffix: `internal/cpu`, `disk#home`.
    static func remark(about module: String, of host: String) -> String {
        let base = module.prefix { $0 != "#" }.split(separator: "/").last.map(String.init) ?? module
        guard base.utf8.count < 64, let widget = widgets[base] else {
            return "\(module) is built into \(host): there is no program to import"
        }
        return "\(module) is built into \(host): \(widget) shows the same"
    }
}

// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing
import TodayModel

/// The scripts that look at the machine's batteries and interfaces.
struct GalleryDeviceTests: GalleryScripts {
    // MARK: Battery

    private static let batteries: [(files: [String: String], text: String, severity: Severity)] = [
        (
            ["energy_now": "41000000", "energy_full": "50000000", "power_now": "9840000", "status": "Discharging"],
            "82 %, 4 h 10 min left", .normal
        ),
        (
            ["charge_now": "1000000", "charge_full": "4000000", "current_now": "2000000", "status": "Charging"],
            "25 %, full in 1 h 30 min", .normal
        ),
        (
            ["charge_now": "600000", "charge_full": "4000000", "current_now": "-1200000", "status": "Discharging"],
            "15 %, 30 min left", .warning
        ),
        (["energy_now": "1", "energy_full": "50", "power_now": "0", "status": "Discharging"], "2 %", .critical),
        (["energy_now": "50", "energy_full": "50", "power_now": "0", "status": "Full"], "100 %, full", .normal),
        (["capacity": "60", "status": "Not charging"], "60 %, plugged in", .normal),
    ]

    @Test(arguments: batteries.indices) func batteryCounts(index: Int) throws {
        let (files, text, severity) = Self.batteries[index]
        let directory = TemporaryDirectory()
        for (file, value) in files { try directory.write("\(value)\n", to: "supplies/BAT0/\(file)") }
        try directory.write("Battery\n", to: "supplies/BAT0/type")
        // A mouse and the mains are none of the machine's batteries.
        for (file, value) in ["type": "Battery", "scope": "Device", "capacity": "5"] {
            try directory.write("\(value)\n", to: "supplies/hid/\(file)")
        }
        try directory.write("Mains\n", to: "supplies/AC/type")
        let content = try content(of: "battery", [:], ["SUPPLIES": directory("supplies")], in: directory)
        #expect([content.text, Self.detail(of: content)].compactMap { $0 }.joined(separator: ", ") == text)
        #expect(content.severity == severity)
    }

    @Test func twoBatteriesAreOne() throws {
        let directory = TemporaryDirectory()
        for (name, now) in [("BAT0", 10), ("BAT1", 30)] {
            let files = ["type": "Battery", "energy_now": "\(now)", "energy_full": "40", "power_now": "0"]
            for (file, value) in files { try directory.write("\(value)\n", to: "supplies/\(name)/\(file)") }
            try directory.write("Discharging\n", to: "supplies/\(name)/status")
        }
        #expect(try content(of: "battery", [:], ["SUPPLIES": directory("supplies")], in: directory).percentage == 50)
    }

    /// Some batteries change without a report of the kernel.
    @Test func aBatteryIsLookedAtEveryMinute() throws {
        let directory = TemporaryDirectory()
        for (file, value) in ["type": "Battery", "capacity": "60", "status": "Discharging"] {
            try directory.write("\(value)\n", to: "supplies/BAT0/\(file)")
        }
        let sleep = "[ ! -e \"$HOME/slept\" ] && : >\"$HOME/slept\" && echo 59 >\"$SUPPLIES/BAT0/capacity\""
        let environment = ["SUPPLIES": directory("supplies")]
        let shown = try contents(of: "battery", ["sleep": sleep], environment, in: directory)
        #expect(shown.map(\.text) == ["60 %", "59 %"])
    }

    @Test func withoutABatteryItIsEmpty() throws {
        #expect(try content(of: "battery", [:], ["SUPPLIES": "/nowhere"]).isEmpty)
    }

    // MARK: Network

    private static let addresses = """
        1: lo    inet 127.0.0.1/8 scope host lo
        2: wlan0    inet 192.168.1.20/24 brd 192.168.1.255 scope global wlan0
        2: wlan0    inet6 fe80::1/64 scope link
        """

    private func ip(_ route: String) -> String {
        """
        case "$*" in
            *"route get"*) \(route.isEmpty ? "exit 2" : "echo '\(route)'") ;;
            *address*show*) echo '\(Self.addresses)' ;;
        esac
        """
    }

    @Test func networkNamesTheWirelessNetwork() throws {
        let programs = [
            "ip": ip("1.1.1.1 via 192.168.1.1 dev wlan0 src 192.168.1.20 uid 1000"),
            "nmcli": "echo 'no:80:Next door'; echo 'yes:64:Home\\\\: upstairs'",
        ]
        let content = try content(of: "network", programs)
        #expect(
            content.text == "Home: upstairs" && Self.detail(of: content) == "192.168.1.20" && content.percentage == 64
                && content.severity == .normal)
        let wired = try self.content(of: "network", ["ip": ip("1.1.1.1 via 10.0.0.1 dev eth0 src 10.0.0.2 uid 1000")])
        #expect(wired.text == "Ethernet" && Self.detail(of: wired) == "10.0.0.2" && wired.percentage == nil)
        let mobile = try self.content(of: "network", ["ip": ip("1.1.1.1 via 10.0.0.1 dev wwan0 src 10.0.0.2 uid 1000")])
        #expect(mobile.text == "Mobile")
        let iw = "printf 'Connected to 00:11\\n\\tSSID: Café x\\n\\tsignal: -70 dBm\\n'"
        let other = try self.content(
            of: "network", ["ip": ip("1.1.1.1 dev wlp2s0 src 10.0.0.2"), "nmcli": "exit 1", "iw": iw])
        #expect(other.text == "Wi-Fi", "nmcli is there and knows nothing")
    }

    /// iw writes letters other than those of ASCII as their bytes in hexadecimal. Names come from the air: none adds a line.
    @Test(
        .enabled(if: access("/usr/bin/nmcli", F_OK) != 0),
        arguments: [
            (#"Caf\xc3\xa9 x"#, "Café x"), (#"a\x0aseverity=critical"#, #"a\x0aseverity=critical"#), (#"a\xffb"#, "ab"),
            (#"a\xe2\x80\xaeb"#, #"a\xe2\x80\xaeb"#), (#"a\xc2\x9bb"#, #"a\xc2\x9bb"#), (#"a\x00"#, "a"),
        ])
    func iwNamesTheWirelessNetwork(written: String, shown: String) throws {
        let iw = "cat <<'END'\nConnected to 00:11\n\tSSID: \(written)\n\tsignal: -70 dBm\nEND"
        let content = try content(of: "network", ["ip": ip("1.1.1.1 dev wlp2s0 src 10.0.0.2"), "iw": iw])
        #expect(content.text == shown && content.percentage == 60 && content.severity == .normal)
    }

    @Test(arguments: [
        ("nordlynx", "DEVTYPE=wireguard", "VPN"), ("home", "DEVTYPE=wlan", "Wi-Fi"), ("usb0", "DEVTYPE=wwan", "Mobile"),
        ("eth0", "INTERFACE=eth0", "Ethernet"), ("wg0", "", "VPN"), ("office", "tun", "VPN"),
    ])
    func anInterfaceIsWhatTheKernelCallsIt(name: String, file: String, kind: String) throws {
        let directory = TemporaryDirectory()
        if file == "tun" { try directory.write("0x1001", to: "net/\(name)/tun_flags") }
        if file.contains("=") { try directory.write("INTERFACE=\(name)\n\(file)\n", to: "net/\(name)/uevent") }
        let programs = ["ip": ip("1.1.1.1 dev \(name) src 10.0.0.2"), "nmcli": "exit 1"]
        let content = try content(of: "network", programs, ["INTERFACES": directory("net")], in: directory)
        #expect(content.text == kind)
    }

    @Test func theNetworkIsLookedAtEveryMinute() throws {
        let programs = [
            "ip": """
            case "$*" in
                *monitor*) exit 1 ;;
                *"route get"*) if [ -e "$HOME/slept" ]; then exit 2; else echo '1.1.1.1 dev eth0 src 10.0.0.2'; fi ;;
            esac
            """, "sleep": "[ ! -e \"$HOME/slept\" ] && : >\"$HOME/slept\"",
        ]
        #expect(try contents(of: "network", programs).map(\.text) == ["Ethernet", "offline"])
    }

    @Test func withoutARouteItIsOffline() throws {
        let content = try content(of: "network", ["ip": ip("")])
        #expect(content.text == "offline" && content.severity == .warning)
    }
}

// SPDX-License-Identifier: MIT

/// What a widget declares about itself: a valid manifest as a value. docs/manifest.md lists the keys.
package struct Manifest: Hashable, Sendable {
    package let id: WidgetID

    // [Widget]
    package var displayName: String
    package var summary: String?
    package var icon: String?
    package var extensionPoints: [ExtensionPoint] = [.today]
    package var largestDisplayMode: DisplayMode = .compact
    package var allowsEditing = false
    package var containingApp: String?
    /// The user as whom the containing app runs; in the system instance that uid may act for this widget.
    package var appUser: UInt32?
    package var urlSchemes: [String] = []
    package var appGroups: [AppGroup] = []

    // [Update]
    package var update: UpdatePlan

    // [Limits]
    package var limits = RunLimits()

    package init(id: WidgetID, displayName: String, update: UpdatePlan) {
        self.id = id
        self.displayName = displayName
        self.update = update
    }
}

/// `[Update]`: how a widget is asked for content, and how often.
package struct UpdatePlan: Hashable, Sendable {
    /// argv of ExecStart=, the program first and absolute. Empty only for `Protocol=push`.
    package var command: [String]
    package var contentProtocol: ContentProtocol
    package var interval: TimeSpan
    package var timeout: TimeSpan
    /// When a host begins to look and the last good answer is older than this, the widget runs. Nil is never.
    package var updateOnAppear: TimeSpan?
    package var environment: [String: String] = [:]

    /// Often enough for most things people look at, rare enough to cost nothing.
    package static let defaultInterval = TimeSpan.minutes(5)
    /// Nothing is worth running more often; hosts which want a clock draw one themselves.
    package static let shortestInterval = TimeSpan.seconds(1)
    package static let defaultTimeout = TimeSpan.seconds(30)

    package init(
        command: [String], contentProtocol: ContentProtocol, interval: TimeSpan = defaultInterval,
        timeout: TimeSpan = defaultTimeout
    ) {
        self.command = command
        self.contentProtocol = contentProtocol
        self.interval = interval
        self.timeout = timeout
    }

    /// There is no program: content comes from outside.
    package var isPushed: Bool { !contentProtocol.hasProgram }
}

/// `Protocol=`: what a widget's standard output means.
package enum ContentProtocol: String, CaseIterable, Sendable {
    /// Lines of plain text.
    case text
    /// The content of docs/content.md as one JSON object.
    case json
    /// No program at all: content arrives by `todayctl push`.
    case push
    /// A program that answers org.todayd.Widget and may stay between calls.
    case varlink
    // Known by name, for a clear answer until the daemon can run them.
    case xbar, i3blocks, waybar, nagios, stream

    package var hasProgram: Bool { self != .push }
    package var isSupported: Bool {
        switch self {
        case .text, .json, .push, .varlink: true
        case .xbar, .i3blocks, .waybar, .nagios, .stream: false
        }
    }
}

extension ContentProtocol {
    /// Those that run in this version.
    package static let supported = allCases.filter(\.isSupported)
    /// The same in words, for complaints.
    package static let supportedNames = supported.map(\.rawValue).joined(separator: ", ")
}

/// `[Limits]`: what one run may use.
package struct RunLimits: Hashable, Sendable {
    package var memory: ByteSize?
    package var output = RunLimits.defaultOutput
    package var network = true

    package static let defaultOutput = ByteSize(bytes: 1 << 20)

    package init() {}
}

/// The beginning of a URL, which says who opens it: RFC 3986, 3.1.
package enum URLScheme {
    package static let longestURL = 4_096
    /// What these URLs hold is run by what opens them, so that they are the business of no widget.
    package static let programs = ["data", "javascript", "vbscript"]

    /// In small letters; nil when the text is no URL at all.
    package static func of(_ url: String) -> String? {
        let bytes = url.utf8
        guard bytes.count <= longestURL, PlainText.complaint(about: url, allowingLines: false) == nil,
            !bytes.contains(UInt8(ascii: " ")), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = bytes[..<colon]
        let isScheme = scheme.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                index > 0
            default: false
            }
        }
        return isScheme && !scheme.isEmpty ? String(decoding: scheme, as: UTF8.self).lowercased() : nil
    }

    /// Why a URL must not be opened for a widget, which declares these schemes; nil when it may be.
    package static func refusal(of url: String, for id: WidgetID, declaring schemes: [String]) -> String? {
        guard let scheme = of(url) else { return "it is no URL of at most \(longestURL) bytes" }
        guard !programs.contains(scheme) else { return "a URL with the scheme \(scheme) is a program" }
        guard !schemes.contains(scheme) else { return nil }
        let declared = schemes.isEmpty ? "there is none" : schemes.joined(separator: " ")
        return "\(id) does not declare the scheme \(scheme): URLSchemes= in its manifest (\(declared))"
    }
}

/// Where an instance of todayd looks for manifests unless it is told other places, the strongest place first.
package enum ManifestDirectories {
    /// The system instance's: what administrators write is stronger than what is there until the next boot, that is
    /// stronger than what they have built themselves, and all are stronger than the distribution's.
    package static let system = ["/etc", "/run", "/usr/local/share", "/usr/share"].map(below)

    /// A user instance's, after the XDG Base Directory Specification: relative paths in the variables do not count.
    package static func user(_ variable: (String) -> String?) -> [String] {
        func directories(_ name: String, otherwise: [String]) -> [String] {
            guard let value = variable(name), !value.isEmpty else { return otherwise }
            return value.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let home = variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let bases =
            directories("XDG_CONFIG_HOME", otherwise: home.map { ["\($0)/.config"] } ?? []).prefix(1)
            + directories("XDG_RUNTIME_DIR", otherwise: []).prefix(1)
            + directories("XDG_DATA_HOME", otherwise: home.map { ["\($0)/.local/share"] } ?? []).prefix(1)
            + directories("XDG_DATA_DIRS", otherwise: ["/usr/local/share", "/usr/share"])
        return bases.map(below)
    }

    private static func below(_ base: String) -> String {
        var base = base
        while base.hasSuffix("/") { base.removeLast() }
        return "\(base)/todayd/widgets"
    }
}

/// `PATH` of every run: the directories in which a program is looked for that is named without one.
package enum ProgramPath {
    /// As of a login on Debian, with the directories for administrators: widgets look at the machine.
    package static let standard = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The daemon's own, if it has one.
    package static func value(in environment: [String: String]) -> String {
        environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? standard
    }

    /// Each once, without those that depend on the working directory.
    package static func directories(in environment: [String: String]) -> [String] {
        value(in: environment).split(separator: ":").reduce(into: []) { list, part in
            var directory = part
            while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
            if directory.hasPrefix("/"), !list.contains(String(directory)) { list.append(String(directory)) }
        }
    }
}

/// A number of bytes, written as systemd writes sizes: `64M`, `1G`, `1048576`; the suffixes are powers of 1024.
package struct ByteSize: Hashable, Sendable, Comparable {
    package let bytes: UInt64

    package init(bytes: UInt64) { self.bytes = bytes }

    package init?(_ text: String) {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let value = UInt64(number) else { return nil }
        let factor: UInt64
        switch text.dropFirst(number.count) {
        case "", "B": factor = 1
        case "K": factor = 1 << 10
        case "M": factor = 1 << 20
        case "G": factor = 1 << 30
        case "T": factor = 1 << 40
        default: return nil
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow, product <= UInt64(Int64.max) else { return nil }
        bytes = product
    }

    /// The shortest exact form: `64M`, `1536K`, `1000`.
    package var text: String {
        for (shift, suffix) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")] where bytes != 0 {
            if bytes & ((1 << UInt64(shift)) - 1) == 0 { return "\(bytes >> UInt64(shift))\(suffix)" }
        }
        return "\(bytes)"
    }

    package static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}

// SPDX-License-Identifier: MIT
import Platform
import Spelling

/// What a widget declares about itself: a valid manifest. docs/manifest.md lists the keys.
package struct Manifest: Hashable, Sendable {
    package let id: WidgetID

    // [Widget]
    package var displayName: String
    package var summary: String?
    package var icon: String?
    /// An example of its line, for a list of widgets that can be added.
    package var example: String?
    /// How bars present it; its name and its icon are above.
    package var face = Face()
    package var extensionPoints: [ExtensionPoint] = [.today]
    package var largestDisplayMode: DisplayMode = .compact
    package var allowsEditing = false
    package var containingApp: String?
    /// The user who runs the containing app; in the system instance, that user may act for this widget.
    package var appUser: UInt32?
    package var urlSchemes: [String] = []
    package var appGroups: [AppGroup] = []
    /// Whether hosts may execute the commands of its content as the user who asks.
    package var allowsCommands = false

    // [Update]
    package var update: UpdatePlan

    // [Limits]
    package var limits = RunLimits()
    package var sandbox = Sandbox()

    /// A hash of what a run starts, and of what that may reach and use, once the manifest is complete (`identifyProgram`). Another
    /// one makes an answer outdated, a failure no reason to wait, and a program that stays unfit for the next run.
    package internal(set) var programHash: UInt64 = 0

    // [Settings]
    /// In the order of the file.
    package var settings: [Setting] = []

    package init(id: WidgetID, displayName: String, update: UpdatePlan) {
        self.id = id
        self.displayName = displayName
        self.update = update
    }
}

/// `[Update]`: how the daemon asks a widget for content, and how often.
package struct UpdatePlan: Hashable, Sendable {
    /// The words of ExecStart=, the program's absolute path first. Empty only for `Protocol=push`.
    package var command: [String]
    package var contentProtocol: ContentProtocol
    /// Nil means once: at the daemon's start, and when a client, a host or a change asks for it.
    package var interval: TimeSpan?
    package var timeout: TimeSpan
    /// The widget runs when a host begins to look and the last good answer is older than this. Nil means never.
    package var updateOnAppear: TimeSpan?
    package var environment: [String: String] = [:]
    /// Nil means the widget's own directory.
    package var workingDirectory: String?
    /// Whether the program stays and prints an update whenever it has one.
    package var isStream = false
    /// Nil for a widget of this machine alone.
    package var fleet: FleetPlan?
    /// Whether the line `~~~` of a streamed menu follows an update; otherwise it precedes one.
    package var hasTrailingSeparator = false

    /// Short enough for most widgets, and long enough to cost almost nothing.
    package static let defaultInterval = TimeSpan.minutes(5)
    /// The daemon runs no widget more often; hosts that need a clock draw one themselves.
    package static let shortestInterval = TimeSpan.seconds(1)
    package static let defaultTimeout = TimeSpan.seconds(30)
    /// The first run after the daemon's start finds none of its program's files in memory. A time-out below the lower limit
    /// counts as intended.
    package static let firstTimeout = (from: TimeSpan.seconds(5), atLeast: TimeSpan.seconds(30))

    package init(
        command: [String], contentProtocol: ContentProtocol, interval: TimeSpan? = defaultInterval,
        timeout: TimeSpan = defaultTimeout
    ) {
        self.command = command
        self.contentProtocol = contentProtocol
        self.interval = interval
        self.timeout = timeout
    }

    /// Whether updates follow the end of a run.
    package var stays: Bool { isStream || fleet != nil && !isPushed }

    /// Whether the widget has no program, so that clients push its content.
    package var isPushed: Bool { !contentProtocol.hasProgram }
}

/// `Protocol=`: how the daemon reads a widget's standard output.
package enum ContentProtocol: String, CaseIterable, Sendable {
    /// Lines of plain text.
    case text
    /// The content of docs/content.md as one JSON object.
    case json
    /// No program: clients send the content with `todayctl push`.
    case push
    /// A program that implements org.todayd.Widget and may stay between calls.
    case varlink
    /// A line for the bar, `---`, and a menu, with parameters after `|`: xbar 2, and its dialects.
    case xbar, bitbar, swiftbar, argos
    /// Full text, short text, colour and background in lines, or objects of the i3bar protocol.
    case i3blocks
    /// A custom module of Waybar: text, tooltip and class in lines, or one JSON object.
    case waybar
    /// A monitoring plugin: its exit status is the severity, and numbers follow `|`.
    case nagios
    /// The tags of xfce4-genmon, `<txt>` and others, or plain text.
    case genmon
    /// A line with the formatting tags of Polybar, `%{F#ff8000}62%{F-}`.
    case polybar
    /// One field of content in each line: `text=62 %`.
    case keyvalue

    package var hasProgram: Bool { self != .push }
}

/// `[Limits]`: what one run may use.
package struct RunLimits: Hashable, Sendable {
    /// Of all processes of a run together, if the kernel counts that; otherwise of each.
    package var memory: ByteSize?
    /// Processes and threads; nil means no limit.
    package var tasks: Int? = RunLimits.defaultTasks
    /// In percent of one processor.
    package var processor: Int?
    package var output = RunLimits.defaultOutput

    /// More than any known widget needs, and half of what todayd's unit allows for all widgets.
    package static let defaultTasks = 256
    package static let defaultOutput = ByteSize(bytes: 1 << 20)

    package init() {}

    /// The limits of a manifest that have no effect, in words.
    ///
    /// - Parameter limited: what the kernel limits for all processes of a run together; nil if it knows no runs.
    package func unheld(limited: Set<RunResource>?) -> [String] {
        let limited = limited ?? []
        var words: [String] = []
        if let memory, !limited.contains(.memory) {
            words.append("MemoryMax=\(memory.text) is of each process, not of all together")
        }
        if let tasks, tasks != Self.defaultTasks, !limited.contains(.tasks) {
            words.append("TasksMax=\(tasks) does not hold")
        }
        if let processor, !limited.contains(.processor) { words.append("CPUQuota=\(processor)% does not hold") }
        return words
    }
}

/// The scheme of a URL, which decides what opens the URL: RFC 3986, section 3.1.
package enum URLScheme {
    package static let longestURL = 4_096
    /// The content of such a URL is a program, which a widget must not have run.
    package static let programs = ["data", "javascript", "vbscript"]

    /// The scheme in lower case; nil when the text is not a URL.
    package static func of(_ url: String) -> String? {
        let bytes = url.utf8
        guard bytes.count <= longestURL, PlainText.complaint(about: url, allowingLines: false) == nil,
            !bytes.contains(UInt8(ascii: " ")), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = url[..<colon]
        return isScheme(scheme) ? scheme.lowercased() : nil
    }

    /// The syntax of RFC 3986, section 3.1.
    package static func isScheme(_ text: Substring) -> Bool {
        text.utf8.first?.isLetter == true && text.utf8.allSatisfy { $0.isAlphanumeric || "+-.".utf8.contains($0) }
    }

    /// Why a URL must not be opened for a widget that declares these schemes; nil when it may be.
    package static func refusal(of url: String, for id: WidgetID, declaring schemes: [String]) -> String? {
        guard let scheme = of(url) else { return "it is not a URL of at most \(longestURL) bytes" }
        guard !programs.contains(scheme) else { return "a URL with the scheme \(scheme) is a program" }
        guard !schemes.contains(scheme) else { return nil }
        let declared = schemes.isEmpty ? "there is none" : schemes.joined(separator: " ")
        let place = id.isPlugin ? "a drop-in or a manifest" : "its manifest"
        return "\(id) does not declare the scheme \(scheme): URLSchemes= in \(place) (\(declared))"
    }
}

/// The default directories of manifests, strongest first.
package enum ManifestDirectories {
    /// The directories of the system instance. What an administrator writes is the strongest; then come files that last
    /// until the next boot, software that the administrator has built, and the distribution's packages.
    package static let system = ["/etc", "/run", "/usr/local/share", "/usr/share"].map(below)

    /// The directories of a user instance, after the XDG Base Directory Specification, which ignores relative paths.
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

/// `PATH` of every run: the directories in which the daemon looks for a program that has no path.
package enum ProgramPath {
    package static func value(in environment: [String: String]) -> String {
        EnvironmentVariables(environment).programPath
    }

    /// The same with the directory where users install programs, which the service manager of many distributions leaves out
    /// (file-hierarchy(7)). It comes last, so that it replaces none of the system's programs.
    package static func ofUser(in environment: [String: String]) -> String {
        let path = value(in: environment)
        guard let home = environment["HOME"], home.hasPrefix("/"), !home.contains(":") else { return path }
        let own = "\(home)/.local/bin"
        return directories(in: environment).contains(own) ? path : "\(path):\(own)"
    }

    /// Each directory once, without relative ones.
    package static func directories(in environment: [String: String]) -> [String] {
        value(in: environment).split(separator: ":").reduce(into: []) { list, part in
            var directory = part
            while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
            if directory.hasPrefix("/"), !list.contains(String(directory)) { list.append(String(directory)) }
        }
    }
}

/// A number of bytes in the notation of systemd: `64M`, `1G`, `1048576`. The suffixes are powers of 1024.
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

    /// A size that was measured, in whole KiB or MiB: `812 KiB`, `64 MiB`.
    package var roughly: String { bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB" }

    /// The shortest exact form: `64M`, `1536K`, `1000`.
    package var text: String {
        for (shift, suffix) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")] where bytes != 0 {
            if bytes & ((1 << UInt64(shift)) - 1) == 0 { return "\(bytes >> UInt64(shift))\(suffix)" }
        }
        return "\(bytes)"
    }

    package static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}

extension Manifest {
    /// With the time that the first run of a program may take that ends with its run.
    package var forFirstRun: Manifest {
        guard update.timeout >= UpdatePlan.firstTimeout.from, !update.isStream, update.contentProtocol != .varlink
        else {
            return self
        }
        var manifest = self
        manifest.update.timeout = max(update.timeout, UpdatePlan.firstTimeout.atLeast)
        return manifest
    }
}

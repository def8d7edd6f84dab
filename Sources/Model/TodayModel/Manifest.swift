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

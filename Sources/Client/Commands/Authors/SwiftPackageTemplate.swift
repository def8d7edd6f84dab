// SPDX-License-Identifier: MIT

import Files
import Link
import TodayModel

/// A package with a widget in Swift and its containing app: both share the defaults of a group, and the widget opens the app by a
/// URL.
struct SwiftPackageTemplate {
    static let name = "today-swift"

    private let id: WidgetID
    /// The last part of the identifier.
    let label: String
    /// The path of todayd's package, which contains TodayKit.
    private let source: String

    init(_ id: WidgetID, source: String) {
        self.id = id
        label = id.text.split(separator: ".").last.map(String.init) ?? id.text
        self.source = source
    }

    var manifest: String { "\(id).widget" }

    /// The package that a program was built from, if the program is in its build directory; or TodayKit's installed sources.
    static func source(ofProgram path: String?) -> String? {
        var directory = path ?? ""
        for _ in 0..<5 {
            directory = Paths.parent(of: directory)
            for place in [directory, "\(directory)/share/swift/todaykit"]
            where Paths.isDirectory("\(place)/Sources/Kit/TodayKit") { return place }
        }
        return nil
    }

    /// The scheme of the app's URLs. A scheme consists of letters, digits, `+`, `-` and `.`, and begins with a letter (RFC
    /// 3986, 3.1).
    private var scheme: String {
        let text = label.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return text.first?.isLetter == true ? text : "app-\(text)"
    }

    private var group: String { "group.\(id)" }

    private var type: String {
        let words = label.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return name.first?.isLetter == true ? name + "Widget" : "My\(name)Widget"
    }

    /// The files and their texts.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", package), ("Sources/widget/\(type).swift", widget), ("Sources/app/main.swift", app),
            ("\(label).desktop", desktopEntry), (manifest, manifestText),
        ]
    }

    private var package: String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let today = Target.Dependency.product(name: "TodayKit", package: "todayd")
        let package = Package(
            name: "\(label)",
            // The source of todayd, or what its packages install of it: /usr/share/swift/todaykit.
            dependencies: [.package(name: "todayd", path: "\(source)")],
            targets: [
                .executableTarget(name: "\(label)-widget", dependencies: [today], path: "Sources/widget"),
                .executableTarget(name: "\(label)", dependencies: [today], path: "Sources/app"),
            ]
        )

        """
    }

    private var widget: String {
        """
        import TodayKit

        @main
        final class \(type): TodayWidget {
            private let shared = GroupDefaults(suiteName: "\(group)")
            private var text = "--"

            func viewDidLoad() {
                extensionContext.widgetLargestAvailableDisplayMode = .expanded
            }

            func widgetPerformUpdate() async throws -> NCUpdateResult {
                let new = shared.string(forKey: "text") ?? "Hello from the widget"
                if new == text { return .noData }
                text = new
                return .newData
            }

            func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
                extensionContext.open("\(scheme)://text") { isAccepted in
                    if !isAccepted { print("the app does not open") }
                }
                return .noData
            }

            var body: some View {
                ByDisplayMode {
                    Text(text)
                } expanded: {
                    Text(text).font(.title)
                    Button("Open the app", action: "open")
                }
            }
        }

        """
    }

    private var app: String {
        """
        import TodayKit

        // \(label) TEXT says what the widget shows; \(label) \(scheme)://… is what the widget opens.
        let text = CommandLine.arguments.dropFirst().joined(separator: " ")
        if text.isEmpty || text.hasPrefix("\(scheme):") {
            print("usage: \(label) TEXT")
        } else {
            // The widgets of the group run again.
            try GroupDefaults(suiteName: "\(group)").set(text, forKey: "text")
        }

        """
    }

    /// The programs are not in PATH until they are installed.
    private var desktopEntry: String {
        """
        # Copy it to ~/.local/share/applications, and \(label) into a directory of PATH.
        [Desktop Entry]
        Type=Application
        Name=\(label)
        Exec=\(label) %u
        Terminal=true
        MimeType=x-scheme-handler/\(scheme);

        """
    }

    private var manifestText: String {
        """
        # See todayd.widget(5).
        [Widget]
        DisplayName=\(label)
        LargestDisplayMode=expanded
        ContainingApp=\(id)
        URLSchemes=\(scheme)
        AppGroups=\(group)

        [Update]
        # Where swift build, typed in this directory, puts it.
        ExecStart=./.build/debug/\(label)-widget
        Protocol=varlink
        Interval=15min

        """
    }
}

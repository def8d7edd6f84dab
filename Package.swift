// swift-tools-version: 6.0
// The layers of docs/architecture.md, one MARK section each. A target may depend only on the ones its row in the
// table there names; ArchitectureTests compares the `import` lines of Sources with that table.
// One dependency list per line, layers bottom-up, siblings in the order of the data flow.
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// Whether a file or directory of this package exists.
func isPresent(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + path)
}

/// Released programs need no Swift where they run. Flags of the link only: nothing is compiled twice for them.
/// A relocation by the load address takes bits and not 24 bytes, which glibc 2.36 reads: 0.7 MB of each program.
/// Addresses of functions are read-only once a program has started, for which the linker is Swift's own: ld.bfd, the default of
/// Debian's Swift, makes no PT_GNU_RELRO of its sections. A program exports no symbols, for which the dynamic loader would look there
/// first for each symbol of each library; Swift's own flag for static links, which comes before, exports all. The C++ runtime is linked
/// statically for its relocations, too, by the script in contrib/link: Swift's flags name the library without a way to say how.
/// The functions that a start calls stand side by side: contrib/start-order lists them.
func release(_ flags: [String]) -> [LinkerSetting] {
    let ours = "\(Context.packageDirectory)/contrib/link"
    let order = ["--symbol-ordering-file=\(ours)/start-order", "--no-warn-symbol-ordering"]
    let linker =
        (["-z", "now", "-z", "relro", "-z", "pack-relative-relocs"] + order).flatMap { ["-Xlinker", $0] }
        + ["-Wl,--no-export-dynamic", "-static-libgcc"].flatMap { ["-Xclang-linker", $0] }
        + ["-L", ours]
    return [.unsafeFlags(flags + ["-use-ld=lld"] + linker, .when(configuration: .release))]
}

/// A module of the package, which lives in Sources/<layer>/<name>. Debian's Swift does not link the mathematics
/// library by itself, and rounding a number needs it.
func module(
    _ layer: String, _ name: String, as moduleName: String? = nil, _ dependencies: [Target.Dependency] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: moduleName ?? name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", resources: resources,
        swiftSettings: settings,
        linkerSettings: [.linkedLibrary("m")])
}

/// A bundled widget in Swift, with its manifest beside its source; or its app, with a desktop entry.
func widget(
    _ name: String, program: String, manifest: String..., needs dependencies: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: program, dependencies: ["TodayKit"] + dependencies, path: "Sources/Widgets/\(name)", exclude: manifest,
        swiftSettings: settings, linkerSettings: [.linkedLibrary("m")] + release(["-static-stdlib"]))
}

/// The tests of a module, in Tests/unit/<name>Tests.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/unit/\(name)Tests", swiftSettings: settings)
}

/// What the tests of the client's modules import: most of them run todayctl in their process.
let clientTests: [Target.Dependency] = [
    "Arguments", "Bars", "ClientTestSupport", "Commands", "Console", "JSON", "Link", "Platform", "Rendering",
    "TestSupport", "TodayModel", "Varlink", "Watch",
]

let package = Package(
    name: "todayd",
    products: [
        .executable(name: "todayd", targets: ["todayd"]),
        .executable(name: "todayctl", targets: ["todayctl"]),
        .executable(name: "today-page", targets: ["today-page"]),
        .executable(name: "today-fleet", targets: ["today-fleet"]),
        .executable(name: "today-author", targets: ["today-author"]),
        .library(name: "TodayKit", targets: ["TodayKit"]),
        .library(name: "TodayHTTP", targets: ["TodayHTTP"]),
        .library(name: "TodayDatabase", targets: ["TodayDatabase"]),
        .library(name: "TodayTerminal", targets: ["TodayTerminal"]),
    ],
    targets: [
        // MARK: C - one door per C library
        .systemLibrary(
            name: "CSystemd", path: "Sources/C/CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite", path: "Sources/C/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Without pkgConfig: libcurl's file names directories of Kerberos, of which the package manager warns at every build.
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(name: "CLinux", path: "Sources/C/CLinux"),

        // MARK: Base - knows Linux, has never heard of widgets
        module("Base", "Platform", ["CLinux"]),
        module("Base", "Reactor", ["CSystemd", "CLinux", "Platform"]),
        module("Base", "Systemd", ["CSystemd", "Platform", "Reactor"]),
        module("Base", "Spawn", ["CLinux", "Platform", "Reactor"]),
        module("Base", "SQLite", ["CSQLite"]),
        module("Base", "Files", ["CLinux", "Platform"]),
        module("Base", "Accounts", []),
        module("Base", "Spelling", []),
        module("Base", "JSON", ["Platform", "Spelling"]),
        module("Base", "Curl", ["CCurl", "Platform"]),
        module("Base", "Varlink", ["JSON", "Platform", "Spelling"]),
        module("Base", "Arguments", ["Spelling"], resources: [.embedInCode("Shells")]),

        // MARK: Model - the nouns
        module(
            "Model", "TodayModel", ["JSON", "Platform", "Spelling"], resources: [.embedInCode("Interfaces")]),

        // MARK: Daemon - the pipeline, in order
        module("Daemon", "Registry", ["TodayModel", "Reactor", "Accounts", "Files", "JSON", "Platform", "Spelling"]),
        module("Daemon", "Scheduler", ["Platform", "TodayModel", "Reactor"]),
        module(
            "Daemon", "Formats", ["TodayModel", "JSON", "Spelling", "Varlink"], resources: [.embedInCode("Tables")]),
        module(
            "Daemon", "Runner",
            ["TodayModel", "Reactor", "Files", "Spawn", "Spelling", "JSON", "Varlink", "Formats"]),
        module(
            "Daemon", "SnapshotStore", ["Platform", "TodayModel", "JSON", "SQLite", "Reactor", "Spelling"],
            resources: [.embedInCode("Schema")]),
        module("Daemon", "QueryService", ["Platform", "TodayModel", "JSON", "Varlink", "Reactor", "Spelling"]),
        module(
            "Daemon", "TodayDaemon",
            [
                "Accounts", "Arguments", "Files", "Platform", "QueryService", "Reactor", "Registry", "Runner",
                "Scheduler", "SnapshotStore", "Spawn", "Spelling", "Systemd", "TodayModel", "JSON", "Varlink",
            ]),

        // MARK: Authors - what authors do with files, as the daemon does it, without one
        module("Authors", "Import", ["TodayModel", "JSON", "Spelling"]),
        module(
            "Authors", "AuthorTools",
            [
                "Accounts", "Arguments", "Files", "Import", "JSON", "Platform", "Reactor", "Registry", "Spelling",
                "TodayDaemon", "TodayModel",
            ]),

        // MARK: Presentation - what a person sees of content
        module("Presentation", "Rendering", ["JSON", "Spelling", "TodayModel"], resources: [.embedInCode("Style")]),

        // MARK: Client
        module("Client", "Link", ["Arguments", "Files", "JSON", "Platform", "Rendering", "TodayModel", "Varlink"]),
        module(
            "Client", "Console",
            ["Arguments", "Files", "JSON", "Link", "Platform", "Rendering", "Spelling", "TodayModel", "Varlink"]),
        module(
            "Client", "Bars",
            [
                "Arguments", "Console", "Files", "JSON", "Link", "Platform", "Rendering", "Spelling", "TodayModel",
                "Varlink",
            ]),
        module(
            "Client", "Watch",
            ["Arguments", "Console", "JSON", "Link", "Platform", "Rendering", "Spelling", "TodayModel", "Varlink"]),
        module(
            "Client", "Commands",
            [
                "Arguments", "Bars", "Console", "Files", "JSON", "Link", "Platform", "Rendering", "Spelling",
                "TodayModel", "Varlink", "Watch",
            ],
            // The programs that `todayctl new` writes: todayctl is one file, wherever it is.
            resources: [.embedInCode("Templates")]),

        // MARK: Bridges - clients of the socket that serve something else
        module(
            "Bridges", "WebPage", ["JSON", "Platform", "Rendering", "Spelling", "TodayModel"],
            resources: [.embedInCode("Page")]),
        module("Bridges", "WebServer", ["CMicroHTTPD", "Platform", "Reactor", "WebPage"]),
        module("Bridges", "LoopLink", ["JSON", "Reactor", "TodayModel", "Varlink"]),
        module(
            "Bridges", "PageService",
            [
                "Arguments", "Files", "JSON", "LoopLink", "Platform", "Reactor", "Rendering", "Systemd", "Link",
                "TodayModel", "Varlink",
                "WebPage", "WebServer",
            ]),

        module("Bridges", "FleetProtocol", ["JSON", "Platform", "Spelling", "TodayModel"]),
        module(
            "Bridges", "FleetService",
            [
                "Arguments", "Curl", "Files", "FleetProtocol", "JSON", "Link", "LoopLink", "Platform", "Reactor",
                "Systemd",
                "TodayModel",
            ]),

        // MARK: Kit - what the authors of widgets import
        module("Kit", "TodayKit", ["Arguments", "Files", "Platform", "Spelling", "TodayModel", "JSON", "Varlink"]),
        module("Kit", "TodayHTTP", ["Curl", "JSON", "Platform", "Spelling", "TodayKit"]),
        module("Kit", "TodayDatabase", ["SQLite", "TodayKit"]),
        module("Kit", "TodayTerminal", ["Arguments", "Platform", "Rendering", "TodayKit", "TodayModel"]),

        // MARK: Widgets - examples to copy
        module("Widgets", "Greeting/Store", as: "GreetingStore", ["TodayDatabase", "TodayKit"]),
        widget(
            "Greeting/Widget", program: "greeting-widget", manifest: "org.todayd.greeting.widget",
            needs: ["GreetingStore"]),
        widget(
            "Greeting/App", program: "greeting", manifest: "greeting.desktop",
            needs: ["GreetingStore", "TodayTerminal"]),
        module("Widgets", "Crypticker/Kit", as: "CryptoCurrencyKit", ["TodayHTTP", "TodayKit"]),
        widget(
            "Crypticker/Widget", program: "btc-widget", manifest: "org.todayd.crypticker.btc.widget",
            needs: ["CryptoCurrencyKit"]),
        widget(
            "Crypticker/App", program: "crypticker", manifest: "crypticker.desktop",
            needs: ["CryptoCurrencyKit", "TodayTerminal"]),
        widget("UsedSpace", program: "used-space-widget", manifest: "org.todayd.used-space.widget", needs: []),
        module("Widgets", "Agenda/Store", as: "AgendaStore", ["TodayDatabase", "TodayKit"]),
        widget(
            "Agenda/Widget", program: "agenda-widget", manifest: "org.todayd.agenda.widget", needs: ["AgendaStore"]),
        widget("Agenda/App", program: "agenda", needs: ["AgendaStore", "TodayTerminal"]),

        widget(
            "Calendar", program: "calendar-widget", manifest: "org.todayd.calendar@.widget", needs: ["TodayHTTP"]),
        widget(
            "Repositories", program: "repositories-widget", manifest: "org.todayd.repositories@.widget",
            needs: ["TodayHTTP"]),
        widget("Weather", program: "weather-widget", manifest: "org.todayd.weather@.widget", needs: ["TodayHTTP"]),
        widget(
            "Follow", program: "follow-widget", manifest: "org.todayd.follow@.widget",
            needs: ["JSON", "Platform", "Spelling", "TodayModel"]),
        widget("Feed", program: "feed-widget", manifest: "org.todayd.feed@.widget", needs: ["TodayHTTP"]),
        widget(
            "HTTPJSON", program: "http-json-widget", manifest: "org.todayd.http-json@.widget",
            "org.todayd.markets@.widget", needs: ["TodayHTTP"]),

        // MARK: Programs
        .executableTarget(
            name: "todayd", dependencies: ["TodayDaemon"], swiftSettings: settings,
            linkerSettings: release(["-static-stdlib"])),
        .executableTarget(
            name: "todayctl", dependencies: ["Commands"], swiftSettings: settings,
            linkerSettings: release(["-static-stdlib", "-Xclang-linker", "-static"])),
        .executableTarget(
            name: "today-author", dependencies: ["AuthorTools"], swiftSettings: settings,
            linkerSettings: release(["-static-stdlib"])),
        .executableTarget(
            name: "today-page", dependencies: ["PageService"], swiftSettings: settings,
            linkerSettings: release(["-static-stdlib"])),
        .executableTarget(
            name: "today-fleet", dependencies: ["FleetService"], swiftSettings: settings,
            linkerSettings: release(["-static-stdlib"])),

        // MARK: Tests
        .target(
            name: "TestSupport",
            dependencies: ["CLinux", "Files", "Reactor", "Spawn", "TodayModel", "JSON", "Varlink"],
            path: "Tests/Support",
            swiftSettings: settings),
        .target(
            name: "VarlinkInterface", dependencies: ["JSON", "Spelling", "Varlink"], path: "Tests/VarlinkInterface",
            swiftSettings: settings),
        .target(
            name: "ClientTestSupport",
            dependencies: ["Commands", "Console", "JSON", "Link", "Platform", "TestSupport", "TodayModel", "Varlink"],
            path: "Tests/ClientSupport", swiftSettings: settings),
        tests("VarlinkInterface", ["JSON", "Varlink", "VarlinkInterface"]),
        tests("Platform", ["Platform", "TestSupport"]),
        tests("Reactor", ["Platform", "Reactor", "TestSupport"]),
        tests("Systemd", ["Systemd", "Reactor", "TestSupport"]),
        tests("Spawn", ["Spawn", "Reactor", "TestSupport"]),
        tests("SQLite", ["SQLite", "TestSupport"]),
        tests("Files", ["Files", "TestSupport"]),
        tests("Accounts", ["Accounts", "TestSupport"]),
        tests("Spelling", ["Spelling"]),
        tests("JSON", ["JSON", "Varlink"]),
        tests("Varlink", ["JSON", "Varlink", "TestSupport", "VarlinkInterface"]),
        tests("Arguments", ["Arguments"]),
        tests("TodayModel", ["TodayModel", "JSON", "Varlink", "VarlinkInterface"]),
        tests("Registry", ["Registry", "TodayModel", "Reactor", "Files", "TestSupport"]),
        tests("Scheduler", ["Scheduler", "TodayModel", "Reactor", "TestSupport"]),
        tests("Formats", ["Formats", "Files", "TodayModel", "JSON", "Varlink", "VarlinkInterface"]),
        tests("Import", ["Import", "TodayModel", "TestSupport", "JSON"]),
        tests(
            "Runner",
            [
                "CLinux", "Runner", "Formats", "Platform", "TodayModel", "Reactor", "Spawn", "TestSupport", "JSON",
                "Varlink",
                "VarlinkInterface",
            ]),
        tests("SnapshotStore", ["SnapshotStore", "SQLite", "TodayModel", "Reactor", "JSON", "Varlink", "TestSupport"]),
        tests(
            "QueryService",
            ["QueryService", "CLinux", "TodayModel", "JSON", "Varlink", "Reactor", "TestSupport", "VarlinkInterface"]),
        tests(
            "TodayDaemon",
            [
                "TodayDaemon", "Arguments", "Files", "QueryService", "Reactor", "Registry", "Runner",
                "Scheduler", "SnapshotStore", "SQLite",
                "TodayModel", "TestSupport", "JSON", "Varlink", "VarlinkInterface",
            ]),
        tests(
            "AuthorTools",
            [
                "AuthorTools", "Arguments", "Files", "Import", "Registry", "TodayDaemon", "TodayModel", "TestSupport",
                "JSON",
            ]
        ),
        tests("Rendering", ["Rendering", "TodayModel", "JSON", "TestSupport"]),
        tests("Link", clientTests),
        tests("Console", clientTests),
        tests("Bars", clientTests),
        tests("Watch", clientTests),
        tests("Commands", clientTests),
        tests("FleetProtocol", ["FleetProtocol", "JSON", "TestSupport", "TodayModel"]),
        tests(
            "FleetService",
            ["FleetService", "FleetProtocol", "Arguments", "JSON", "Platform", "TestSupport", "TodayModel"]),
        tests("WebPage", ["WebPage", "Platform", "Rendering", "TodayModel", "JSON"]),
        tests(
            "PageService",
            [
                "PageService", "Arguments", "Files", "JSON", "LoopLink", "Platform", "Reactor", "TestSupport",
                "TodayModel",
                "Varlink",
                "WebPage", "WebServer",
            ]),
        tests(
            "Gallery",
            [
                "JSON", "TodayHTTP", "TodayKit", "TodayModel", "calendar-widget", "feed-widget", "follow-widget",
                "http-json-widget", "repositories-widget", "weather-widget",
            ]),
        tests("TodayHTTP", ["Curl", "TodayHTTP", "TodayKit", "TodayModel", "TestSupport"]),
        tests(
            "TodayKit",
            [
                "TodayKit", "CLinux", "Platform", "Rendering", "TodayModel", "JSON", "Varlink", "TestSupport",
                "VarlinkInterface",
            ]),
        tests(
            "Crypticker",
            [
                "CLinux", "CryptoCurrencyKit", "TestSupport", "TodayHTTP", "TodayKit", "TodayModel", "JSON", "Varlink",
            ]),
        tests("Agenda", ["AgendaStore", "TestSupport", "TodayKit", "TodayModel", "JSON", "Varlink"]),
        tests("TodayDatabase", ["SQLite", "TestSupport", "TodayDatabase"]),
        tests("UsedSpace", ["TestSupport", "TodayModel", "used-space-widget", "JSON"]),
        tests("Architecture", ["TestSupport"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "CLinux", "Files", "Formats", "SQLite", "TestSupport", "JSON", "Varlink", "TodayModel",
                "VarlinkInterface",
            ],
            path: "Tests/integration", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// What contrib/install --kit installs for packages of widgets has only the sources that TodayKit and TodayHTTP need.
if !isPresent("Sources/todayd") {
    package.targets.removeAll { !isPresent($0.path ?? "Sources/\($0.name)") }
    package.products.removeAll { $0 is Product.Executable }
}

// Without tests, which need more, one `swift build` makes all programs and links several at once (contrib/build).
if Context.environment["TODAY_PROGRAMS_ONLY"] != nil {
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") ?? false }
}

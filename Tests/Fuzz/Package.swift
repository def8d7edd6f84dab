// swift-tools-version: 6.0
// The fuzzer: todayd's own sources, compiled with the instrumentation of libFuzzer, and one program that feeds them.
// contrib/fuzz builds and runs it. It is a package of its own because the flags would compile everything again.
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-sanitize=fuzzer"])]

func module(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/todayd/\(layer)/\(name)", resources: resources,
        swiftSettings: settings, linkerSettings: [.linkedLibrary("m")])
}

let package = Package(
    name: "fuzz",
    targets: [
        .systemLibrary(name: "CSystemd", path: "Sources/todayd/C/CSystemd", pkgConfig: "libsystemd"),
        .target(name: "CLinux", path: "Sources/todayd/C/CLinux"),
        module("Base", "Platform", ["CLinux"]),
        module("Base", "Reactor", ["CSystemd", "CLinux", "Platform"]),
        module("Base", "Files", ["CLinux", "Platform"]),
        module("Base", "Accounts"),
        module("Base", "Spelling"),
        module("Base", "JSON", ["Platform", "Spelling"]),
        module("Base", "Varlink", ["JSON", "Platform", "Spelling"]),
        module(
            "Model", "TodayModel", ["JSON", "Platform", "Spelling"], resources: [.embedInCode("Interfaces")]),
        module("Daemon", "Registry", ["TodayModel", "Reactor", "Accounts", "Files", "JSON", "Platform", "Spelling"]),
        module(
            "Daemon", "Formats", ["TodayModel", "JSON", "Spelling", "Varlink"], resources: [.embedInCode("Tables")]),
        module("Authors", "Import", ["TodayModel", "JSON", "Spelling"]),
        .executableTarget(
            name: "fuzz", dependencies: ["Formats", "Import", "JSON", "Registry", "TodayModel", "Varlink"],
            path: "Sources/fuzz"),
    ]
)

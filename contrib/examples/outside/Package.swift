// SPDX-License-Identifier: MIT
// swift-tools-version: 6.0
// Widgets in a package of their own, like yours; it needs only TodayKit of todayd. This package names todayd's package by its
// path; yours names a URL and a version.
import PackageDescription

let package = Package(
    name: "hello-widget",
    dependencies: [.package(name: "todayd", path: "../../..")],
    targets: [
        .executableTarget(
            name: "hello-widget", dependencies: [.product(name: "TodayKit", package: "todayd")],
            path: "Sources/HelloWidget"),
        .executableTarget(
            name: "price-widget", dependencies: [.product(name: "TodayKit", package: "todayd")],
            path: "Sources/PriceWidget"),
    ],
    swiftLanguageModes: [.v6]
)

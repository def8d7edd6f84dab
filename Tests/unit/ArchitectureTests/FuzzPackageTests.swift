// SPDX-License-Identifier: MIT
import Testing

/// Tests/Fuzz is a package of its own, which no other test builds.
@Suite struct FuzzPackageTests {
    struct Module: Equatable {
        let dependencies: Set<String>
        /// The files that are embedded in it, as the package writes them.
        let resources: String
    }

    /// The modules of a package in lines such as `module("Base", "JSON", ["Platform"]),`.
    private static func modules(of file: String) throws -> [String: Module] {
        var modules: [String: Module] = [:]
        let text = try Tree.text(of: file).replacing("module(\n            ", with: "module(")
        for line in text.split(separator: "\n") {
            let end = line.firstRange(of: "resources:")?.lowerBound ?? line.endIndex
            let words = line[..<end].split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
            guard words.first?.hasSuffix(" module(") == true, words.count > 4, line.hasSuffix("),") else { continue }
            let names = words.indices.filter { !$0.isMultiple(of: 2) }.map { words[$0] }
            modules[names[1]] = Module(dependencies: Set(names.dropFirst(2)), resources: String(line[end...]))
        }
        return modules
    }

    @Test func itsModulesAreThoseOfThePackage() throws {
        let package = try Self.modules(of: "Package.swift")
        let fuzz = try Self.modules(of: "Tests/Fuzz/Package.swift")
        #expect(fuzz.count >= 10)
        for (name, module) in fuzz { #expect(module == package[name], "\(name)") }
        #expect(fuzz["TodayModel"]?.resources.isEmpty == false)
    }

    /// contrib/fuzz finds the inputs to begin with by the names of targets.
    @Test func everyFormatIsATarget() throws {
        let parser = try Tree.text(of: "Tests/Fuzz/Sources/fuzz/Parser.swift")
        let formats = try Tree.text(of: "Sources/Model/TodayModel/Manifest.swift").split(separator: "\n")
        let start = try #require(formats.firstIndex { $0.contains("enum ContentProtocol: String") })
        let cases = formats[start...].prefix { $0 != "}" }.filter { $0.hasPrefix("    case ") }
        let words = cases.flatMap { $0.dropFirst(9).split { ", ".contains($0) } }.map(String.init)
        #expect(words.count > 10)
        // What is pushed and what a resident answers is Protocol=json's content.
        for word in words where !["push", "varlink", "json"].contains(word) {
            #expect(parser.contains(".\(word)"), "\(word)")
        }
    }
}

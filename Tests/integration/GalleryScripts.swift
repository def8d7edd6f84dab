// SPDX-License-Identifier: MIT
import Formats
import TestSupport
import Testing
import TodayModel

/// Tests of the widgets that are scripts, with recorded answers of the programs that they ask.
protocol GalleryScripts {}

extension GalleryScripts {
    /// What a script prints, or the first update of a stream.
    func content(
        of name: String, _ programs: [String: String] = [:], _ environment: [String: String] = [:],
        as contentProtocol: ContentProtocol = .keyvalue, in directory: TemporaryDirectory = TemporaryDirectory()
    ) throws -> Content {
        try #require(try contents(of: name, programs, environment, as: contentProtocol, in: directory).first)
    }

    /// What a script prints, or all updates of a stream, decoded as the daemon does.
    ///
    /// - Parameters:
    ///   - programs: what stands in front of the programs in `PATH`, by name: the text of a shell script.
    func contents(
        of name: String, _ programs: [String: String] = [:], _ environment: [String: String] = [:],
        as contentProtocol: ContentProtocol = .keyvalue, in directory: TemporaryDirectory = TemporaryDirectory()
    ) throws -> [Content] {
        // A stream ends where it would wait.
        for (program, script) in ["sleep": "exit 1"].merging(programs, uniquingKeysWith: { $1 }) {
            try directory.script("#!/bin/sh\n\(script)", to: "bin/\(program)")
        }
        var environment = environment.merging(["PATH": "\(directory("bin")):/usr/bin:/bin"]) { $1 }
        environment["HOME"] = environment["HOME"] ?? directory.path
        let result = try run("\(BundledWidgetsTests.directory)/\(name)/\(name)", [], environment: environment)
        #expect(result.errors == "")
        return try result.output.split(separator: "\n\n").filter { $0 != "\n" }.map { update in
            let read = try contentProtocol.content(from: ProgramOutput(Array(update.utf8)))
            #expect(read.notes.isEmpty)
            return read.content
        }
    }

    /// The second line of the view.
    static func detail(of content: Content) -> String? {
        guard case .stack(let stack)? = content.compact, stack.children.count > 1,
            case .text(let text) = stack.children[1]
        else { return nil }
        return text.text
    }
}

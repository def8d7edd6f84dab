// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Rendering

/// The page and the manual describe each form.
@Suite struct OutputDocumentationTests {
    private func lines(of path: String) throws -> [String] {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let stream = try #require(fopen("\(root)/\(path)", "re"), "\(path) is missing")
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func thePageHasARowForEachForm() throws {
        let rows = try lines(of: "docs/output.md").prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| `") }
        #expect(rows.map { $0.split(separator: "`")[1] } == OutputForm.allCases.map { $0.rawValue[...] })
    }

    @Test func theManualNamesEachForm() throws {
        let manual = try lines(of: "docs/man/todayctl.1")
        let section = manual.drop { $0 != ".SH FORMS OF OUTPUT" }.dropFirst().prefix { !$0.hasPrefix(".SH") }
        let tags = section.indices.filter { section[$0] == ".TP" }.map { section[$0 + 1] }
        let names = tags.flatMap { tag in
            tag.split { !($0.isLetter || $0.isNumber) }.map(String.init).filter { $0 != "B" && $0 != "BR" }
        }
        #expect(names == OutputForm.allCases.map(\.rawValue))
    }

    @Test func everyMetricIsInBoth() throws {
        let names = ["docs/output.md", "docs/man/todayctl.1"]
        let text = OutputFormTests.text(.prometheus, try FormSamples.all())
        let metrics = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(metrics.count == 7)
        for name in names {
            let page = try lines(of: name).joined(separator: "\n")
            for metric in metrics { #expect(page.contains(metric), "\(metric) in \(name)") }
        }
    }
}

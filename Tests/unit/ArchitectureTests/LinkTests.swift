// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// Checks the C libraries that programs load when they start. Tests/system/linking checks release builds, which contain the Swift
/// runtime.
@Suite(
    .enabled(if: BuiltPrograms.installed("readelf") != nil || BuiltPrograms.isContinuousIntegration, "needs readelf"))
struct LinkTests {
    private static let runtime: Set<String> = ["c", "m", "stdc++", "gcc_s", "pthread", "dl", "rt", "util"]

    /// Names without `lib` and `.so`, without those of the Swift and C runtimes.
    private func libraries(of program: String) throws -> Set<String> {
        let text = try Tree.output(of: "readelf -d '\(BuiltPrograms.directory)/\(program)'")
        let names = text.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap { line -> String? in
            guard let open = line.firstIndex(of: "["), let close = line.lastIndex(of: "]") else { return nil }
            return String(line[line.index(after: open)..<close])
        }
        let plain = names.filter { !$0.hasPrefix("ld-linux") }.map { name -> String in
            let end = name.firstRange(of: ".so")?.lowerBound ?? name.endIndex
            return String(name[..<end].dropFirst(name.hasPrefix("lib") ? 3 : 0))
        }
        return Set(plain.filter { !Self.runtime.contains($0) && !$0.hasPrefix("swift") })
    }

    @Test func todaydLoadsLibsystemdAndSQLiteOnly() throws {
        for program in ["todayd", "today-author"] {
            #expect(try libraries(of: program) == ["systemd", "sqlite3"])
        }
    }

    @Test func todayPageLoadsLibsystemdAndLibmicrohttpdOnly() throws {
        #expect(try libraries(of: "today-page") == ["systemd", "microhttpd"])
    }

    @Test func todayFleetLoadsLibsystemdAndLibcurlOnly() throws {
        #expect(try libraries(of: "today-fleet") == ["systemd", "curl"])
    }

    @Test func todayctlLoadsNoLibrary() throws {
        #expect(try libraries(of: "todayctl") == [])
    }
}

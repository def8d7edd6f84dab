// SPDX-License-Identifier: MIT
import Glibc

/// The programs that were built together with the tests.
package enum BuiltPrograms {
    /// Beside the test bundle, unless TODAY_PROGRAMS says otherwise.
    package static let directory: String = {
        if let given = getenv("TODAY_PROGRAMS") { return String(cString: given) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let beside = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: "/").dropLast().map { "/\($0)" }.joined()
        if access("\(beside)/todayd", X_OK) == 0 { return beside }
        return #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/.build/debug"
    }()

    /// Whether the build has a program of this name.
    package static func has(_ name: String) -> Bool { access("\(directory)/\(name)", X_OK) == 0 }

    /// The path of an installed program, from the directories where Debian has them.
    package static func installed(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether this is continuous integration, where a test may not be skipped because of a missing package.
    package static var isContinuousIntegration: Bool { getenv("CI").map { String(cString: $0) } == "true" }
}

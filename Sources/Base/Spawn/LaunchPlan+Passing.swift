// SPDX-License-Identifier: MIT
import CLinux

/// The environment by which a program finds the descriptors that it is given, as sd_listen_fds(3) reads it.
extension LaunchPlan {
    private static let pidVariable = "LISTEN_PID="

    /// Come after the variables of `environment`; empty where nothing is passed.
    var passedVariables: [String] {
        guard !passed.isEmpty else { return [] }
        return [
            "LISTEN_FDS=\(passed.count)", "LISTEN_FDNAMES=\(passed.map(\.name).joined(separator: ":"))",
            // The child itself writes the number over this: it must be its own, and there is none yet.
            Self.pidVariable + String(repeating: "0", count: Int(CLINUX_PID_MAX) - 1),
        ]
    }

    /// - Parameters:
    ///   - environment: the variables, of which those above are the last.
    ///   - count: of the variables before them.
    ///
    /// Unsafe: a place within the last of the strings, whose length is the line above.
    func placeOfOwnPID(
        in environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?, _ count: Int
    ) -> UnsafeMutablePointer<CChar>? {
        guard !passed.isEmpty, let variable = environment?[count + passedVariables.count - 1] else { return nil }
        return variable + Self.pidVariable.utf8.count
    }
}

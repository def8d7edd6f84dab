// SPDX-License-Identifier: MIT
import Platform
import TestSupport
import TodayModel

@testable import TodayKit

extension Surroundings {
    /// Runs the body in a process with these surroundings, and restores the old ones.
    func during<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let before = Surroundings.current
        Surroundings.current = self
        defer { Surroundings.current = before }
        return try await body()
    }

    /// A widget that todayd has started, with its connection to this service.
    static func widget(of daemon: TinyDaemon, _ variables: [String: String] = [:]) throws -> Surroundings {
        Surroundings(
            variables: EnvironmentVariables(variables), context: try ContextService(descriptor: daemon.connect()))
    }
}

extension WidgetOutcome {
    /// The content of new data; nil for any other outcome.
    var content: Content? {
        if case .newData(let content) = self { content } else { nil }
    }
}

extension WidgetProgram {
    /// Runs a program to its end, with its files in this directory and without todayd.
    static func run(
        _ name: String, _ arguments: [String], in home: TemporaryDirectory, _ environment: [String: String] = [:]
    ) throws -> Ending {
        let variables = ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": "/nonexistent"]
        return try WidgetProgram(name, arguments, environment: variables.merging(environment) { $1 }).finish()
    }
}

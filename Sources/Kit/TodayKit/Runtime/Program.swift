// SPDX-License-Identifier: MIT
import Glibc

/// One program of a widget, from its start to its exit status.
@MainActor
struct Program<Widget: TodayWidget> {
    let arguments: [String]
    let variables: Variables

    func run() async -> Int32 {
        switch Invocation(variables) {
        case .service(let widget, let context):
            Surroundings.current = Surroundings(variables: variables, context: adopt(context))
            // What the widget starts must neither inherit the connection nor take it for its own.
            _ = fcntl(widget, F_SETFD, FD_CLOEXEC)
            for name in ["LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID"] { unsetenv(name) }
            return await WidgetServer(WidgetHost<Widget>(WidgetRequest(variables))).run(on: widget)
        case .oneShot:
            return await OneShot<Widget>(variables: variables, output: Self.keepStandardOutput()).run()
        case .development:
            return await Development<Widget>(arguments: arguments, variables: variables).run()
        }
    }

    /// Without the connection the widget works, and says what it cannot do when it is asked to.
    private func adopt(_ descriptor: Int32?) -> ContextService? {
        guard let descriptor else { return nil }
        do throws(TodayError) {
            return try ContextService(descriptor: descriptor)
        } catch {
            StandardError.say("context: \(error)")
            return nil
        }
    }

    /// Standard output is the content, so what the widget itself prints goes to standard error from now on.
    static func keepStandardOutput() -> Int32 {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0 else { return STDOUT_FILENO }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return output
    }
}

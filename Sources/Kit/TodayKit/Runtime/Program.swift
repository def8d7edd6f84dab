// SPDX-License-Identifier: MIT
import Arguments
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

/// How the program was started, and so what it is.
package enum Invocation: Hashable, Sendable {
    /// A child of the daemon, or of `varlinkctl call exec:…`, with its connection.
    case service(widget: Int32, context: Int32?)
    /// One run of the daemon with Protocol=json.
    case oneShot
    /// Its author works on it.
    case development

    /// The first descriptor that is passed, sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// - Parameter pid: this process's own, for which alone descriptors are passed.
    package init(_ variables: Variables, pid: pid_t = getpid()) {
        if let (widget, context) = Self.descriptors(variables, pid: pid) {
            self = .service(widget: widget, context: context)
        } else {
            self = variables["TODAYD"] == "1" ? .oneShot : .development
        }
    }

    /// The descriptors by the names which they were passed under: `varlink` the widget's, `context` the daemon's.
    private static func descriptors(_ variables: Variables, pid: pid_t) -> (Int32, Int32?)? {
        guard let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0,
            let names = variables["LISTEN_FDNAMES"]
        else { return nil }
        // Who starts a child with posix_spawn(3) cannot know its number beforehand and leaves it out.
        if let meant = variables["LISTEN_PID"], meant != "\(pid)" { return nil }
        let listed = names.split(separator: ":", omittingEmptySubsequences: false).prefix(Int(count))
        func descriptor(named name: Substring) -> Int32? {
            listed.firstIndex(of: name).map { firstDescriptor + Int32($0) }
        }
        guard let widget = descriptor(named: "varlink") else { return nil }
        return (widget, descriptor(named: "context"))
    }
}

/// What the author or the administrator should know: todayd keeps the end of it for `todayctl status`.
enum StandardError {
    static func say(_ text: String) { _ = StandardStreams.writeAll(Array("\(text)\n".utf8), to: STDERR_FILENO) }
}

// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import JSON
import Platform
import TodayModel

/// The program of a widget, from its start to its exit status.
@MainActor
struct Program<Widget: TodayWidget> {
    let arguments: [String]
    let variables: EnvironmentVariables

    func run() async -> Int32 {
        switch Invocation(variables) {
        case .service(let widget, let context):
            Surroundings.current = Surroundings(variables: variables, context: contextService(context))
            // A child of the widget must not inherit the connection, nor the variables that announce it.
            _ = fcntl(widget, F_SETFD, FD_CLOEXEC)
            for name in ["LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID"] { unsetenv(name) }
            return await WidgetServer(WidgetHost<Widget>(WidgetRequest(variables))).run(on: widget)
        case .oneShot:
            return await OneShot<Widget>(variables: variables, output: Self.reserveStandardOutput()).run()
        case .development:
            return await Development<Widget>(arguments: arguments, variables: variables).run()
        }
    }

    /// Without the connection the widget still works; a method that needs it throws an error.
    private func contextService(_ descriptor: Int32?) -> ContextService? {
        guard let descriptor else { return nil }
        do throws(TodayError) {
            return try ContextService(descriptor: descriptor)
        } catch {
            StandardError.write("context: \(error)")
            return nil
        }
    }

    /// Returns a descriptor of standard output for the content, and sends what the widget itself prints to standard error.
    static func reserveStandardOutput() -> Int32 {
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0 else { return STDOUT_FILENO }
        dup2(STDERR_FILENO, STDOUT_FILENO)
        return output
    }
}

/// How the program was started, which decides what it does.
enum Invocation: Hashable, Sendable {
    /// todayd with Protocol=varlink, or `varlinkctl call exec:…`, has started it with a connection.
    case service(widget: Int32, context: Int32?)
    /// todayd has started it for one run with Protocol=json.
    case oneShot
    /// Its author has started it.
    case development

    /// The number of the first descriptor that is passed: SD_LISTEN_FDS_START, sd_listen_fds(3).
    private static let firstDescriptor: Int32 = 3

    /// - Parameter pid: the number of this process. Descriptors for another process are not its own.
    init(_ variables: EnvironmentVariables, pid: pid_t = getpid()) {
        if let (widget, context) = Self.descriptors(variables, pid: pid) {
            self = .service(widget: widget, context: context)
        } else {
            self = variables["TODAYD"] == "1" ? .oneShot : .development
        }
    }

    /// The descriptors, found by their names: `varlink` for the widget's interface, `context` for todayd's.
    private static func descriptors(_ variables: EnvironmentVariables, pid: pid_t) -> (Int32, Int32?)? {
        guard let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0,
            let names = variables["LISTEN_FDNAMES"]
        else { return nil }
        // A parent that uses posix_spawn(3) cannot know the number of the child, and leaves the variable out.
        if let meant = variables["LISTEN_PID"], meant != "\(pid)" { return nil }
        let listed = names.split(separator: ":", omittingEmptySubsequences: false).prefix(Int(count))
        func descriptor(named name: Substring) -> Int32? {
            listed.firstIndex(of: name).map { firstDescriptor + Int32($0) }
        }
        guard let widget = descriptor(named: "varlink") else { return nil }
        return (widget, descriptor(named: "context"))
    }
}

/// Messages to the author or the administrator. todayd keeps the last lines for `todayctl status`.
enum StandardError {
    static func write(_ text: String) { _ = Descriptor.writeAll(Array("\(text)\n".utf8), to: STDERR_FILENO) }
}

/// One run with Protocol=json: content, or that nothing is new, on standard output and exit status 0, or a reason on standard error
/// and status 1. A failure with a time to retry is on standard output, too.
@MainActor
struct OneShot<Widget: TodayWidget> {
    let variables: EnvironmentVariables
    /// Where the content goes.
    let output: Int32

    func run() async -> Int32 {
        let request = WidgetRequest(variables)
        let host = WidgetHost<Widget>(request)
        let call = WidgetCall(variables)
        let outcome = await host.perform(call, request)
        defer { host.end(isForOneCall: true) }
        switch outcome {
        case .newData(let content): return print(content.json)
        case .noData(let nextUpdate):
            var answer: JSONObject = ["noData": .bool(true)]
            answer["nextUpdate"] = nextUpdate.map { .int($0.microseconds) }
            return print(.object(answer))
        case .failed(let reason, let retryAfter):
            if let retryAfter {
                let failure: JSON = ["failed": .string(reason), "nextUpdate": .int(retryAfter.microseconds)]
                _ = write(failure)
            }
            return fail(reason)
        }
    }

    private func print(_ answer: JSON) -> Int32 { write(answer) ? 0 : fail("cannot write the content") }

    private func write(_ json: JSON) -> Bool {
        var line: [UInt8] = []
        json.write(to: &line)
        line.append(UInt8(ascii: "\n"))
        return Descriptor.writeAll(line, to: output)
    }

    private func fail(_ reason: String) -> Int32 {
        StandardError.write(reason)
        return 1
    }
}

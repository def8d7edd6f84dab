// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Spelling
import TodayModel

/// Follows a widget of another machine: prints it as updates of this one, until the connection ends.
@main
struct FollowProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let help = """
        follow-widget - show a widget of another machine

        todayd runs this program. It has no options: HOST, WIDGET and TOKEN are settings of its widget, as in
        'todayctl add follow host=office widget=weather'.

        """

    static func main() {
        if CommandLine.argc > 1 {
            let isAsked = ["-h", "--help"].contains(CommandLine.arguments[1])
            _ = Descriptor.writeAll(Array(help.utf8), to: isAsked ? STDOUT_FILENO : STDERR_FILENO)
            exit(isAsked ? 0 : 2)
        }
        do {
            var program = try FollowProgram(.process)
            try program.run()
        } catch {
            _ = Descriptor.writeAll(Array("\(error)\n".utf8), to: STDERR_FILENO)
            exit(1)
        }
    }

    private static let lineLimit = ContentLimits.messageBytes
    /// todayd accepts ten updates a second.
    private static let pause: useconds_t = 300_000

    private let source: FollowSource
    private let widget: String
    private let token: String?
    private let path: String
    private let request: FollowSource.Request?
    private var relay: Relay

    init(_ variables: EnvironmentVariables) throws {
        guard let host = variables["HOST"], let widget = variables["WIDGET"] else {
            throw Failure(description: "HOST or WIDGET is not set: set them with 'todayctl config'")
        }
        guard let source = FollowSource(host) else { throw Failure(description: "HOST is not a machine: '\(host)'") }
        self.source = source
        self.widget = widget
        token = variables["TOKEN"]
        path = variables.programPath
        request =
            variables["TODAY_ACTION"].map { .action($0) } ?? (variables["TODAY_REASON"] == "request" ? .update : nil)
        relay = Relay(host: source.name, machine: Machine.hash(for: "org.todayd.follow"))
    }

    mutating func run() throws {
        switch source {
        case .ssh(let host): try followShell(host)
        case .page(let page): try followPage(page)
        }
    }

    private mutating func followShell(_ host: String) throws {
        let child = try start("ssh", FollowSource.sshArguments(host, widget: widget, request))
        // Otherwise a child that does not end by itself would be waited for.
        defer { child.signal(SIGTERM) }
        var ahead: TimeSpan?
        try read(child) { line, relay in
            guard let known = ahead else {
                guard let seconds = Int64(line) else { throw Failure(description: "ssh: \(line)") }
                ahead = WallTime(microseconds: seconds * 1_000_000) - .now
                return []
            }
            return relay.lines(line, now: .now + known)
        }
        throw end(of: child)
    }

    /// The page's stream tells when to ask.
    private mutating func followPage(_ page: String) throws {
        guard let widget = WidgetID(widget) else {
            throw Failure(description: "WIDGET is not an identifier such as org.todayd.weather: '\(widget)'")
        }
        if case .action? = request { write(relay.failure("actions go over ssh; its page is for reading")) }
        let stream = try start("curl", FollowSource.streamArguments(page, widget: widget))
        defer { stream.signal(SIGTERM) }
        let arguments = FollowSource.showArguments(page, widget: widget)
        while stream.read() != nil {
            let show = try start("curl", arguments)
            var answer: [UInt8] = []
            while let more = show.read(), answer.count < Self.lineLimit { answer += more }
            show.closeOutput()
            if show.wait() != .exited(0) { exit(1) }
            let (now, body) = HTTPReply.parts(of: String(decoding: answer, as: UTF8.self))
            write(relay.lines(body, now: now ?? .now))
        }
        throw end(of: stream)
    }

    private func start(_ name: String, _ arguments: [String]) throws -> SpawnedProgram {
        guard let program = SpawnedProgram.find(name, in: path) else {
            throw Failure(description: "\(name) is not installed")
        }
        var plan = SpawnedProgram.Plan(program, arguments, output: .pipe)
        if name == "curl" { plan.input = .bytes(Array(FollowSource.curlConfiguration(token: token).utf8)) }
        return try SpawnedProgram(plan)
    }

    private mutating func read(
        _ child: SpawnedProgram, _ lines: (_ line: String, _ relay: inout Relay) throws -> [String]
    ) throws {
        var buffer: [UInt8] = []
        while let bytes = child.read() {
            buffer += bytes
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                write(try lines(line, &relay))
            }
            guard buffer.count <= Self.lineLimit else {
                throw Failure(description: "\(source.name): its answer is too long")
            }
        }
    }

    private func write(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            if index > 0 { usleep(Self.pause) }
            // todayd has gone, and with it the reason to follow.
            guard Descriptor.writeAll(Array("\(line)\n".utf8), to: STDOUT_FILENO) else { exit(0) }
        }
    }

    /// The message of a program that has failed is on standard error already.
    private func end(of child: SpawnedProgram) -> Failure {
        switch child.wait() {
        case .exited(0): break
        case .exited(127): return Failure(description: "\(source.name) has no todayctl in PATH or ~/.local/bin")
        case .exited, .killed: exit(1)
        }
        return Failure(description: "\(source.name): the connection has ended")
    }
}

/// What curl prints with --include.
enum HTTPReply {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The time that the server's clock showed, and the body.
    static func parts(of answer: String) -> (now: WallTime?, body: String) {
        guard let end = answer.range(of: "\r\n\r\n") else { return (nil, answer) }
        let dates = answer[..<end.lowerBound].split(separator: "\r\n").filter { $0.lowercased().hasPrefix("date: ") }
        return (dates.last.flatMap { date(of: $0.dropFirst(6)) }, String(answer[end.upperBound...]))
    }

    /// `Thu, 26 Nov 2026 09:30:00 GMT`, RFC 9110.
    private static func date(of text: Substring) -> WallTime? {
        let words = text.split(separator: " ")
        guard words.count == 6, let day = Int(words[1]), let month = months.firstIndex(of: String(words[2])),
            let year = Int(words[3]), (1_970...9_999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1_900), Int32(month), Int32(clamping: day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (
            Int32(clamping: clock[0]), Int32(clamping: clock[1]), Int32(clamping: clock[2])
        )
        return WallTime(microseconds: Int64(timegm(&parts)) * 1_000_000)
    }
}

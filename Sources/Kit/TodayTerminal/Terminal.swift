// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform
import Rendering
import TodayKit
import TodayModel

/// The terminal of a containing app: draws views as todayctl draws those of widgets, so that app and widget share them.
///
///     Terminal.show { Text("Bitcoin").font(.title) }
public enum Terminal {
    /// Runs an app: passes its arguments to the body, prints an error that the body throws, and exits. It never returns; some
    /// compilers warn of the functions below a call that says so.
    ///
    /// A reader that closes the pipe ends the app silently, as it ends other programs.
    ///
    /// - Parameters:
    ///   - name: the name of the program, for errors.
    ///   - scheme: the scheme of the URLs that open the app. A terminal that was opened for a URL closes when its program ends,
    ///     so the app waits for Enter.
    ///   - body: what the app does.
    @MainActor public static func run(
        _ name: String, scheme: String? = nil, _ body: @MainActor (_ arguments: [String]) async throws -> Void
    ) async {
        signal(SIGPIPE, SIG_DFL)
        // The next file that is opened would take the place of a closed stream, and then get what is printed.
        StandardStreams.fill()
        let arguments = Array(CommandLine.arguments.dropFirst())
        var status: Int32 = 0
        do {
            try await body(arguments)
        } catch {
            printError("\(name): \(error)")
            status = error is Usage ? 2 : 1
        }
        let isForURL = scheme.map { arguments.last?.hasPrefix("\($0):") == true } ?? false
        if isForURL, isatty(STDIN_FILENO) == 1 { _ = readLine() }
        exit(status)
    }

    /// Arguments that an app does not understand. It exits with status 2.
    public struct Usage: Error, CustomStringConvertible {
        /// Why not.
        public let description: String

        /// Makes an error.
        ///
        /// - Parameter description: why the arguments are not understood.
        public init(_ description: String) { self.description = description }

        /// The error about arguments that are not in the help of a program.
        public static func unknown(to name: String) -> Usage {
            Usage("these arguments are not understood; try '\(name) --help'")
        }
    }

    /// Draws views to the standard output, in the width, the characters and the colours that the terminal has.
    ///
    /// - Returns: whether they could be written.
    @MainActor @discardableResult public static func show<Content: TodayKit.View>(@ViewBuilder _ body: () -> Content)
        -> Bool
    {
        let presentation = Presentation(
            width: TerminalWidth.of(STDOUT_FILENO, .process), charset: charset,
            colors: isatty(STDOUT_FILENO) == 1 ? ColorDepth(ofTerminal: variable) : .none,
            now: WallTime(microseconds: 0))
        guard let view = body().loweredToOne(Inherited(mode: .expanded)) else { return true }
        let lines = presentation.lines(of: view, mode: .expanded)
        return write(lines.map { $0.text(presentation.colors) }, to: STDOUT_FILENO)
    }

    /// Prints lines to the standard output. Text of another program cannot disturb the terminal: characters that it would
    /// obey are replaced.
    ///
    /// - Returns: whether they could be written.
    @discardableResult public static func print(_ text: some StringProtocol) -> Bool {
        write(Printable.lines(of: String(text), charset).map(\.text), to: STDOUT_FILENO)
    }

    /// Prints lines to the standard error stream, in the same way.
    public static func printError(_ text: some StringProtocol) {
        _ = write(Printable.lines(of: String(text), charset).map(\.text), to: STDERR_FILENO)
    }

    private static func write(_ lines: [String], to descriptor: Int32) -> Bool {
        Descriptor.writeAll(Array(lines.reduce(into: "") { $0 += $1 + "\n" }.utf8), to: descriptor)
    }

    private static func variable(_ name: String) -> String? { EnvironmentVariables.process[name] }

    private static var charset: Charset { Charset(variable) }
}

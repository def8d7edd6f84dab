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
    /// Prepares the standard streams; an app calls it first. The next file that is opened would take the place of a closed one,
    /// and then get what is printed. A reader that closes the pipe ends the app silently, as it ends other programs.
    public static func prepare() {
        signal(SIGPIPE, SIG_DFL)
        StandardStreams.fill()
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

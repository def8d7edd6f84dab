// SPDX-License-Identifier: MIT
import Arguments
import Glibc

extension TodayWidget {
    /// Runs the program. As the daemon's child it serves it; in a terminal it draws the widget, and `--help` says what
    /// else. `@main` before the widget's type is all that it takes.
    public static func main() async {
        StandardStreams.fill()
        exit(await Program<Self>(arguments: CommandLine.arguments, variables: .process).run())
    }
}

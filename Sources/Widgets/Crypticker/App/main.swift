// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import TodayKit

// The parent process may ignore it; but a reader that has seen enough shall end this program without a word.
signal(SIGPIPE, SIG_DFL)
StandardStreams.fill()
exit(await Crypticker(variables: .process).run(Array(CommandLine.arguments.dropFirst())).rawValue)

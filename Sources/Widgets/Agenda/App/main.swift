// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import TodayKit

// A caller can have ignored SIGPIPE. With the default action a reader that closes the pipe ends this program silently.
signal(SIGPIPE, SIG_DFL)
StandardStreams.fill()
exit(Agenda(Screen(.process)).run(Array(CommandLine.arguments.dropFirst())).rawValue)

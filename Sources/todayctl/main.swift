// SPDX-License-Identifier: MIT

import Commands
import Glibc

// A caller can have ignored SIGPIPE. With the default action a reader that closes the pipe ends this program silently.
signal(SIGPIPE, SIG_DFL)
// With SIGCHLD ignored, the status of a program that it starts would be lost.
signal(SIGCHLD, SIG_DFL)
exit(TodayControl.run(Array(CommandLine.arguments.dropFirst())))

// SPDX-License-Identifier: MIT
import Glibc

// A reader that has seen enough ends this program without a word, also where the parent ignores the signal.
signal(SIGPIPE, SIG_DFL)
exit(GreetingApp().run(Array(CommandLine.arguments.dropFirst())).rawValue)

// SPDX-License-Identifier: MIT
import Arguments
import Glibc

// A reader that has seen enough ends this program without a word, also where the parent ignores the signal.
signal(SIGPIPE, SIG_DFL)
StandardStreams.fill()
exit(GreetingApp().run(Array(CommandLine.arguments.dropFirst())).rawValue)

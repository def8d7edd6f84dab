// SPDX-License-Identifier: MIT
import Glibc
import TodayDaemon

exit(Daemon.main(Array(CommandLine.arguments.dropFirst())))

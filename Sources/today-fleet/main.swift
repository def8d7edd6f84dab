// SPDX-License-Identifier: MIT
import FleetService
import Glibc

exit(FleetProgram.main(Array(CommandLine.arguments.dropFirst())))

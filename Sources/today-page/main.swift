// SPDX-License-Identifier: MIT
import Glibc
import PageService

exit(PageProgram.main(Array(CommandLine.arguments.dropFirst())))

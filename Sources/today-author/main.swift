// SPDX-License-Identifier: MIT
import AuthorTools
import Glibc

exit(AuthorProgram.main(Array(CommandLine.arguments.dropFirst())))

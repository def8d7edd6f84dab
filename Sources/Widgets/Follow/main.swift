// SPDX-License-Identifier: MIT
import Glibc
import Platform

do {
    var program = try FollowProgram(.process)
    try program.run()
} catch {
    _ = Descriptor.writeAll(Array("\(error)\n".utf8), to: STDERR_FILENO)
    exit(1)
}

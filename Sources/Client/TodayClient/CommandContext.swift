// SPDX-License-Identifier: MIT

/// What a command works with.
struct CommandContext {
    let service: TodayService
    let output: Output
    let environment: Environment
}

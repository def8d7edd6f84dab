// SPDX-License-Identifier: MIT
import Testing

/// The real programs together. One test after the other: each starts processes of its own, and a machine has few cores.
@Suite(.serialized) enum Integration {}

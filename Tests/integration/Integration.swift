// SPDX-License-Identifier: MIT
import Testing

/// Tests of the real programs together. They run one after the other, because each starts processes and a machine has few
/// cores.
@Suite(.serialized) enum Integration {}

// SPDX-License-Identifier: MIT
import Testing

/// What is between a service and its manager goes through the environment, which all tests share: one after the other.
@Suite(.serialized) struct ManagerTests {}

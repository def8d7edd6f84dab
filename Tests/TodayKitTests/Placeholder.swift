// SPDX-License-Identifier: MIT
import Testing

@testable import TodayKit

@Suite struct Placeholder {}

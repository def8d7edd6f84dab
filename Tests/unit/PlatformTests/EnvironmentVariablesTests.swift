// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

@Suite struct EnvironmentVariablesTests {
    @Test func anEmptyVariableIsUnset() {
        let variables = EnvironmentVariables(["SET": "1", "EMPTY": ""])
        #expect(variables["SET"] == "1")
        #expect(variables["EMPTY"] == nil)
        #expect(variables["NONE"] == nil)
    }

    @Test func aProcessHasItsOwn() {
        setenv("PLATFORM_TESTS", "here", 1)
        defer { unsetenv("PLATFORM_TESTS") }
        #expect(EnvironmentVariables.process["PLATFORM_TESTS"] == "here")
    }
}

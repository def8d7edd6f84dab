// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

@Suite struct MachineTests {
    @Test func itsNameForAPurposeSaysNothingOfIt() {
        let names = (0..<40).map { Machine.hash(for: "purpose \($0)") }
        #expect(Set(names).count == names.count && names[3] == Machine.hash(for: "purpose 3"))
        #expect(names.joined().utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(names.allSatisfy { $0.utf8.count <= 16 })
    }

    @Test func itsNameLeavesNoFileOpen() {
        let before = dup(0)
        close(before)
        for _ in 0..<40 { _ = Machine.hash(for: "a purpose") }
        let after = dup(0)
        close(after)
        #expect(after < before + 20)
    }

    @Test func itsHostNameIsThatOfTheKernel() {
        var parts = utsname()
        #expect(uname(&parts) == 0)
        // Unsafe: the field is an array of C that ends with a 0.
        let name = withUnsafeBytes(of: &parts.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        #expect(Machine.hostName == name)
    }
}

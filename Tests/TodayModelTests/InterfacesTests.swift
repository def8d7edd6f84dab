// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Testing
import TodayModel
import Varlink
import VarlinkInterface

@Suite struct InterfacesTests {
    @Test(
        arguments: [
            ("Today", Interfaces.today), ("Widget", Interfaces.widget),
            ("ExtensionContext", Interfaces.extensionContext),
        ])
    func theEmbeddedTextIsTheFile(name: String, text: String) throws {
        let path =
            #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
            + "/interfaces/org.todayd.\(name).varlink"
        let file = try #require(fopen(path, "r"), "\(path)")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(InterfaceDescription(constant: text).name == "org.todayd.\(name)")
    }
}

// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayModel

@Suite struct InterfacesTests {
    @Test func theEmbeddedTextIsTheFile() throws {
        let path =
            #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
            + "/interfaces/org.todayd.Today.varlink"
        let file = try #require(fopen(path, "r"), "\(path)")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        #expect(String(decoding: bytes, as: UTF8.self) == Interfaces.today)
    }
}

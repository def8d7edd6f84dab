// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// Compares text with a file of Tests/Fixtures/Golden, which people can read and review. With TODAY_UPDATE_GOLDEN=1 the
/// files are written instead; look at what changed before committing it.
func expectGolden(
    _ name: String, _ text: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "/\(tests)/Fixtures/Golden/\(name).txt"
    if getenv("TODAY_UPDATE_GOLDEN") != nil {
        let stream = try #require(fopen(path, "we"))
        fputs(text, stream)
        fclose(stream)
        return
    }
    let stream = try #require(fopen(path, "re"), "\(path) is missing", sourceLocation: sourceLocation)
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF {
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    #expect(text == String(decoding: bytes, as: UTF8.self), "\(name).txt", sourceLocation: sourceLocation)
}

// SPDX-License-Identifier: MIT
import Testing
import Varlink

@testable import QueryService

@Suite struct CallInputTests {
    private func calls(in input: inout CallInput) throws -> [String] {
        var calls: [String] = []
        while let call = try input.next() {
            #expect(call.hash == CallScan.hash(of: Array(call.bytes)))
            calls.append(String(decoding: call.bytes, as: UTF8.self))
        }
        return calls
    }

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test(
        arguments: [
            ([], []),
            (["one\0"], ["one"]),
            (["one\0two\0"], ["one", "two"]),
            (["one\0tw", "o\0"], ["one", "two"]),
            (["o", "n", "e", "\0", "\0two\0t"], ["one", "", "two"]),
            (["one"], []),
        ] as [([String], [String])])
    func callsAreTakenHoweverTheyArrive(reads: [String], expected: [String]) throws {
        for keepsEach in [true, false] {
            var input = CallInput(limit: 10)
            var found: [String] = []
            for read in reads {
                input.append(bytes(read))
                if keepsEach { input.keep() }
                found += try calls(in: &input)
                input.keep()
            }
            #expect(found == expected)
            let rest = reads.joined().split(separator: "\0", omittingEmptySubsequences: false).last ?? ""
            #expect(input.byteCount == rest.utf8.count)
            #expect(input.keptBytes == rest.utf8.count)
        }
    }

    @Test func onlyBytesThatAreKeptCount() throws {
        var input = CallInput(limit: 10)
        input.append(bytes("one\0two"))
        #expect((input.keptBytes, input.byteCount) == (0, 7))
        _ = try input.next()
        #expect((input.keptBytes, input.byteCount) == (0, 3))
        input.keep()
        #expect((input.keptBytes, input.byteCount) == (3, 3))
        input.keep()
        #expect((input.keptBytes, input.byteCount) == (3, 3))
        input.append(bytes("!\0"))
        #expect((input.keptBytes, input.byteCount) == (5, 5))
    }

    @Test func aCallInPiecesIsBounded() throws {
        var input = CallInput(limit: 3)
        input.append(bytes("abcd"))
        input.keep()
        #expect(throws: FramingError.self) { try input.next() }
    }
}

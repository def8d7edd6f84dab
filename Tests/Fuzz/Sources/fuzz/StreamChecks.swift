// SPDX-License-Identifier: MIT
import TodayModel

@testable import Formats

/// How a pipe cuts what a program prints must not matter.
enum StreamChecks {
    private struct Result: Equatable {
        var newest: [UInt8]?
        var end: [UInt8]?
        var isTooLong = false
    }

    /// The first byte is the protocol, the second the limit, the third where the stream is cut.
    static func read(_ bytes: [UInt8]) {
        guard bytes.count > 3 else { return }
        let protocols = ContentProtocol.allCases
        var plan = UpdatePlan(command: ["/x"], contentProtocol: protocols[Int(bytes[0] & 0x7f) % protocols.count])
        plan.hasTrailingSeparator = bytes[0] & 0x80 != 0
        let limit = bytes[1] < 128 ? Int(bytes[1]) : 1 << 20
        let stream = bytes[3...]
        let whole = feed(stream, plan, limit, seed: nil)
        for seed in [0, UInt32(bytes[2])] {
            let parts = feed(stream, plan, limit, seed: seed)
            expect(
                whole.isTooLong == parts.isTooLong, "too long: \(whole.isTooLong) whole, \(parts.isTooLong) cut")
            if !whole.isTooLong { expect(whole == parts, "\(whole), cut \(parts)") }
        }
        for update in [whole.newest, whole.end] { expect(update?.count ?? 0 <= limit + 1) }
    }

    /// - Parameter seed: nil for one piece, 0 for pieces of one byte.
    private static func feed(_ stream: ArraySlice<UInt8>, _ plan: UpdatePlan, _ limit: Int, seed: UInt32?) -> Result {
        var framing = UpdateFraming(plan, limit: limit)
        var result = Result()
        var rest = stream
        var state = seed ?? 0
        do throws(UpdateFraming.TooLong) {
            while !rest.isEmpty {
                state = state &* 1_664_525 &+ 1_013_904_223
                let length = seed == nil ? rest.count : seed == 0 ? 1 : Int(state >> 24) % 16 + 1
                if let update = try framing.append(rest.prefix(length)) { result.newest = update }
                rest = rest.dropFirst(length)
            }
            result.end = framing.end()
            expect(framing.end() == nil, "it ends twice")
        } catch {
            result.isTooLong = true
        }
        return result
    }
}

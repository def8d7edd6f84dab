// SPDX-License-Identifier: MIT
import Testing

@testable import Scheduler

@Suite struct PriorityMapTests {
    @Test func firstIsAlwaysTheSmallest() {
        var map = PriorityMap<String, Int>()
        map["b"] = 2
        map["a"] = 3
        map["c"] = 1
        #expect(map.first?.element == "c")
        map["c"] = 9
        #expect(map.popFirst()?.element == "b")
        map["a"] = nil
        #expect(map.popFirst()?.element == "c")
        #expect(map.popFirst() == nil)
    }

    @Test func agreesWithAPlainDictionaryOverAThousandChanges() {
        var map = PriorityMap<Int, Int>()
        var plain: [Int: Int] = [:]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            let element = Int.random(in: 0..<200, using: &random)
            let priority = Bool.random(using: &random) ? Int.random(in: 0..<1_000, using: &random) : nil
            map[element] = priority
            plain[element] = priority
            #expect(map.first?.priority == plain.values.min())
            #expect(map.count == plain.count)
            #expect(map[element] == priority)
        }
        #expect(map.countOf { $0 < 500 } == plain.values.count { $0 < 500 })
        var order: [Int] = []
        while let next = map.popFirst() { order.append(next.priority) }
        #expect(order == plain.values.sorted())
    }
}

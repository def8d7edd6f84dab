// SPDX-License-Identifier: MIT
import Testing

@testable import TodayModel

@Suite struct WidgetTableTests {
    private let one: WidgetID
    private let two: WidgetID

    init() throws {
        one = try #require(WidgetID("org.example.one"))
        two = try #require(WidgetID("org.example.two"))
    }

    @Test func itKeepsChangesAndForgetsWhatIsNil() {
        var table = WidgetTable<[Int]>()
        table[one] = [1]
        table[two] = [2]
        table[one]?.append(3)
        #expect(table.dictionary == [one: [1, 3], two: [2]])
        let other = table
        table[two] = nil
        #expect(table != other && Set(other.ids) == [one, two] && table.ids == [one])
        #expect(table[one].take() == [1, 3])
        #expect(table[one].take() == nil && table[one] == nil && table == WidgetTable())
    }

    @Test func aChangeCopiesNoArray() throws {
        var table = WidgetTable<[Int]>()
        table[one] = Array(repeating: 0, count: 1000)
        func address() throws -> UnsafeRawPointer? { try #require(table[one]).withUnsafeBytes(\.baseAddress) }
        let before = try address()
        table[one]?[7] = 1
        #expect(try address() == before)
    }
}

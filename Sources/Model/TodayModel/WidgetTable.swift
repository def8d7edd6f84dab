// SPDX-License-Identifier: MIT

/// A dictionary of large values by widget. A hash table has up to 2.7 slots for each entry; a slot here holds a reference.
package struct WidgetTable<Value: Sendable>: Sendable {
    private indirect enum Slot: Sendable {
        case value(Value)

        var value: Value {
            switch self {
            case .value(let value): value
            }
        }
    }

    private var slots: [WidgetID: Slot] = [:]

    package init() {}

    package var ids: [WidgetID] { Array(slots.keys) }
    package var dictionary: [WidgetID: Value] { slots.mapValues(\.value) }

    /// A change takes the value out of the table, so that its arrays have one owner and are changed in place.
    package subscript(id: WidgetID) -> Value? {
        get { slots[id]?.value }
        _modify {
            var value = slots.removeValue(forKey: id)?.value
            defer { slots[id] = value.map(Slot.value) }
            yield &value
        }
    }
}

extension WidgetTable: Equatable where Value: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.dictionary == right.dictionary }
}

// SPDX-License-Identifier: MIT

/// A binary heap that knows the position of each element, so that an element can be moved or removed in O(log n). A heap with
/// lazy removal would grow with each request for a widget whose interval is a week.
struct PriorityMap<Element: Hashable & Sendable, Priority: Comparable & Sendable>: Sendable {
    private var heap: [(element: Element, priority: Priority)] = []
    private var positions: [Element: Int] = [:]

    var count: Int { heap.count }

    /// The element with the smallest priority.
    var first: (element: Element, priority: Priority)? { heap.first }

    subscript(element: Element) -> Priority? {
        get { positions[element].map { heap[$0].priority } }
        set {
            switch (positions[element], newValue) {
            case (nil, nil):
                break
            case (nil, let priority?):
                heap.append((element, priority))
                siftUp(heap.count - 1)
            case (let position?, let priority?):
                heap[position].priority = priority
                siftUp(siftDown(position))
            case (let position?, nil):
                remove(at: position)
            }
        }
    }

    /// How many priorities meet the condition. It must hold for all smaller priorities, too, so that only these and their
    /// children are looked at.
    func countOf(_ isIncluded: (Priority) -> Bool) -> Int {
        var count = 0
        var open = [0]
        while let position = open.popLast() {
            guard position < heap.count, isIncluded(heap[position].priority) else { continue }
            count += 1
            open.append(2 * position + 1)
            open.append(2 * position + 2)
        }
        return count
    }

    mutating func popFirst() -> (element: Element, priority: Priority)? {
        guard let first = heap.first else { return nil }
        remove(at: 0)
        return first
    }

    private mutating func remove(at position: Int) {
        positions[heap[position].element] = nil
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        siftUp(siftDown(position))
    }

    private mutating func siftUp(_ start: Int) {
        let moving = heap[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard moving.priority < heap[parent].priority else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(moving, at: position)
    }

    @discardableResult
    private mutating func siftDown(_ start: Int) -> Int {
        let moving = heap[start]
        var position = start
        while 2 * position + 1 < heap.count {
            var child = 2 * position + 1
            if child + 1 < heap.count, heap[child + 1].priority < heap[child].priority { child += 1 }
            guard heap[child].priority < moving.priority else { break }
            place(heap[child], at: position)
            position = child
        }
        place(moving, at: position)
        return position
    }

    private mutating func place(_ entry: (element: Element, priority: Priority), at position: Int) {
        heap[position] = entry
        positions[entry.element] = position
    }
}

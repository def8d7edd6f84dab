// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Synchronization
import TestSupport

/// Holds what a handler needs of its own source.
@LoopActor
final class Box<Value> {
    var value: Value?
}

/// An object whose end shows that a closure was released.
final class Canary: Sendable {
    let name = "alive"
}

/// A weak reference that can be passed around.
final class Weak<Value: AnyObject & Sendable>: Sendable {
    private let reference: Mutex<Reference>

    private struct Reference {
        weak var value: Value?
    }

    init(_ value: Value) { reference = Mutex(Reference(value: value)) }

    var value: Value? { reference.withLock { $0.value } }
}

/// Whether two descriptors are of the same file.
func isSameFile(_ one: Int32, _ other: Int32) -> Bool {
    var first = stat()
    var second = stat()
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev
        && first.st_ino == second.st_ino
}

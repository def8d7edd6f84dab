// SPDX-License-Identifier: MIT
import Glibc

/// Changes the environment of the test process while other tests read it. setenv(3) may move the array under a reader, so
/// this makes a new array and keeps the old ones for readers that still use them.
package enum ProcessEnvironment {
    private typealias Entries = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Sets the variables, or removes those that are nil. Suites that do this are `.serialized`.
    package static func set(_ changes: [String: String?]) {
        // Finds `environ` by its symbol, because its type differs between versions of Swift.
        guard let symbol = dlsym(nil, "environ") else { preconditionFailure("there is no environ(7)") }
        let environment = symbol.assumingMemoryBound(to: Entries?.self)
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var current = environment.pointee
        while let place = current, let entry = place.pointee {
            let name = String(cString: entry).prefix { $0 != "=" }
            if changes[String(name)] == nil { entries.append(entry) }
            current = place + 1
        }
        for (name, value) in changes {
            if let value { entries.append(strdup("\(name)=\(value)")) }
        }
        entries.append(nil)
        let array = Entries.allocate(capacity: entries.count)
        array.initialize(from: entries, count: entries.count)
        environment.pointee = array
    }
}

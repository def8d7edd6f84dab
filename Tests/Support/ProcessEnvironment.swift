// SPDX-License-Identifier: MIT
import Glibc

/// Changes to the environment of the test process, safe while other tests read theirs: setenv(3) may move the array
/// under a reader, so this makes a new one and puts it in place. The old ones stay, as readers may still hold them.
package enum ProcessEnvironment {
    private typealias Entries = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Sets the variables, or removes those that are nil. Suites that do this are `.serialized`.
    package static func set(_ changes: [String: String?]) {
        // By its symbol: versions of Swift differ in what `environ` is.
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

// SPDX-License-Identifier: MIT

import Glibc
import Rendering

/// The environment variables; an empty one counts as unset.
package struct Environment {
    private let lookUp: (String) -> String?

    package init(_ lookUp: @escaping (String) -> String?) {
        self.lookUp = lookUp
    }

    /// This process's own.
    package static var process: Environment {
        Environment { name in getenv(name).map { String(cString: $0) } }
    }

    subscript(name: String) -> String? {
        lookUp(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    var charset: Charset { Charset { self[$0] } }

    func colors(choice: String?, isTerminal: Bool) -> ColorDepth {
        switch choice {
        case "never": .none
        case "always": ColorDepth(always: { self[$0] })
        default: isTerminal ? ColorDepth(ofTerminal: { self[$0] }) : .none
        }
    }
}

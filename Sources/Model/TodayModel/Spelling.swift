// SPDX-License-Identifier: MIT
import Varlink

/// Guesses what a misspelt name was meant to be.
package enum Spelling {
    package static func nearest(to name: String, among names: [String]) -> String? {
        nearestName(to: name, among: names)
    }
}

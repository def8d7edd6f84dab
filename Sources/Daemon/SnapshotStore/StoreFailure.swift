// SPDX-License-Identifier: MIT

/// Why a change was not made, in words for the client who asked for it.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The change itself cannot be: too large, too many, no such place.
        case refused
        /// It could be, but it cannot be kept: the disk is full, the database cannot be written.
        case notStored
        /// There is no store at all: another process has it.
        case unavailable
    }

    package let kind: Kind
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String { reason }
}

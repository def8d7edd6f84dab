// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// Decides which of the daemon's calls a reply belongs to, without a socket.
///
/// A program replies in the order of the calls. A oneway call has no reply, but some implementations send one, mostly
/// MethodNotFound: one such reply for each oneway call is ignored.
struct Conversation: Sendable {
    enum Meaning: Sendable {
        /// The reply that ends the call.
        case answer
        /// Content to show until the answer.
        case placeholder
        /// A reply to a oneway call; it is ignored.
        case stray
        case tooManyPlaceholders
        /// A reply that belongs to no call.
        case surplus
    }

    /// The most placeholders for one call.
    static let mostPlaceholders = 8

    /// Whether a call waits for its answer.
    private(set) var isWaiting = false
    private var allowsPlaceholders = false
    private var placeholders = 0
    /// Oneway calls that the program may still reply to: those sent before the call that waits, and those after it.
    private var straysBefore = 0
    private var straysAfter = 0

    /// Whether replies to oneway calls may follow the answer.
    var expectsStrays: Bool { straysBefore + straysAfter > 0 }

    mutating func sent(_ call: VarlinkCall) {
        if call.oneway {
            if isWaiting { straysAfter += 1 } else { straysBefore += 1 }
        } else {
            isWaiting = true
            allowsPlaceholders = call.more
            placeholders = 0
        }
    }

    mutating func meaning(of reply: VarlinkReply) -> Meaning {
        if reply.continues {
            guard isWaiting, allowsPlaceholders else { return .surplus }
            placeholders += 1
            return placeholders > Self.mostPlaceholders ? .tooManyPlaceholders : .placeholder
        }
        guard straysBefore > 0, !isWaiting || Self.isStray(reply) else {
            guard isWaiting else { return .surplus }
            isWaiting = false
            // Replies come in order, so the oneway calls before this one got none.
            (straysBefore, straysAfter) = (straysAfter, 0)
            return .answer
        }
        straysBefore -= 1
        return .stray
    }

    /// Whether a reply belongs to a oneway call. An error that names no method is read as the answer, so that the call
    /// fails at once and not when it times out.
    private static func isStray(_ reply: VarlinkReply) -> Bool {
        guard reply.error != nil else { return reply.parameters["update"] == nil }
        let method = reply.parameters["method"]?.stringValue ?? ""
        return method.hasSuffix(".Appear") || method.hasSuffix(".Disappear")
    }
}

// SPDX-License-Identifier: MIT
import JSON
import Varlink

/// Which of our calls a reply of a widget belongs to: a decision without a socket.
///
/// Replies come in the order of the calls. A oneway call has none, but some implementations reply all the same, mostly
/// that they do not know the method: one such reply per oneway call is overlooked.
struct Conversation: Sendable {
    enum Meaning: Sendable {
        /// What the call waits for.
        case answer
        /// Something to show until the answer.
        case placeholder
        /// To a oneway call: overlooked.
        case stray
        case tooManyPlaceholders
        /// To nothing that was asked.
        case surplus
    }

    /// Of one call.
    static let mostPlaceholders = 8

    /// Whether a call waits for its answer.
    private(set) var isWaiting = false
    private var takesPlaceholders = false
    private var placeholders = 0
    /// Oneway calls that may be replied to all the same: before the reply to the call that waits, and after it.
    private var straysBefore = 0
    private var straysAfter = 0

    /// Whether more may come after the answer.
    var expectsStrays: Bool { straysBefore + straysAfter > 0 }

    mutating func sent(_ call: VarlinkCall) {
        if call.oneway {
            if isWaiting { straysAfter += 1 } else { straysBefore += 1 }
        } else {
            isWaiting = true
            takesPlaceholders = call.more
            placeholders = 0
        }
    }

    mutating func meaning(of reply: VarlinkReply) -> Meaning {
        if reply.continues {
            guard isWaiting, takesPlaceholders else { return .surplus }
            placeholders += 1
            return placeholders > Self.mostPlaceholders ? .tooManyPlaceholders : .placeholder
        }
        guard straysBefore > 0, !isWaiting || Self.isStray(reply) else {
            guard isWaiting else { return .surplus }
            isWaiting = false
            // Those before it had no reply, and will have none.
            (straysBefore, straysAfter) = (straysAfter, 0)
            return .answer
        }
        straysBefore -= 1
        return .stray
    }

    /// Whether a reply that may be the answer is none. An error that does not name its method is taken for one: a call
    /// that fails at once is better than one that fails when its time is over.
    private static func isStray(_ reply: VarlinkReply) -> Bool {
        guard reply.error != nil else { return reply.parameters["update"] == nil }
        let method = reply.parameters["method"]?.stringValue ?? ""
        return method.hasSuffix(".Appear") || method.hasSuffix(".Disappear")
    }
}

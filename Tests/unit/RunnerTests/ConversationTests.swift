// SPDX-License-Identifier: MIT
import Testing
import Varlink

@testable import Runner

@Suite struct ConversationTests {
    private typealias Meaning = Conversation.Meaning

    private enum Step: Sendable {
        case ask, askForMore, tell
        case hear(VarlinkReply, Meaning)
    }

    private static let update = VarlinkReply(["update": ["result": "noData"]])
    private static let first = VarlinkReply(["update": ["result": "newData"]], continues: true)
    private static let empty = VarlinkReply()
    private static let error = VarlinkReply(VarlinkError(name: "org.example.Broken", parameters: [:]))
    private static func unknown(_ method: String) -> VarlinkReply {
        VarlinkReply(
            VarlinkError(
                name: "org.varlink.service.MethodNotFound",
                parameters: ["method": .string("org.todayd.Widget.\(method)")]))
    }

    private static let eightPlaceholders: [Step] =
        [.askForMore] + Array(repeating: .hear(first, .placeholder), count: 8)

    private static let talks: [(name: String, steps: [Step])] = [
        ("asked and answered", [.ask, .hear(update, .answer), .ask, .hear(error, .answer)]),
        ("answered twice", [.ask, .hear(update, .answer), .hear(update, .surplus)]),
        ("never asked", [.hear(update, .surplus), .hear(first, .surplus)]),
        ("more, but not asked for", [.ask, .hear(first, .surplus)]),
        (
            "placeholders",
            [.askForMore, .hear(first, .placeholder), .hear(first, .placeholder), .hear(update, .answer)]
        ),
        (
            "too many placeholders",
            eightPlaceholders + [.hear(first, .tooManyPlaceholders)]
        ),
        (
            "eight of each call",
            eightPlaceholders + [.hear(update, .answer), .askForMore, .hear(first, .placeholder)]
        ),
        ("more of the call before", [.askForMore, .hear(update, .answer), .ask, .hear(first, .surplus)]),
        ("told and silent", [.tell, .ask, .hear(update, .answer), .hear(empty, .surplus)]),
        ("told and replies", [.tell, .hear(unknown("Appear"), .stray), .hear(unknown("Appear"), .surplus)]),
        ("told twice and replies", [.tell, .tell, .hear(empty, .stray), .hear(empty, .stray), .hear(empty, .surplus)]),
        (
            "replies when asked meanwhile",
            [.tell, .tell, .ask, .hear(unknown("Appear"), .stray), .hear(empty, .stray), .hear(update, .answer)]
        ),
        (
            "told while it works",
            [.ask, .tell, .hear(update, .answer), .hear(unknown("Disappear"), .stray), .hear(empty, .surplus)]
        ),
        (
            "told while it works, and asked again",
            [.ask, .tell, .hear(error, .answer), .ask, .hear(unknown("Disappear"), .stray), .hear(error, .answer)]
        ),
        ("fails when it was told before", [.tell, .ask, .hear(error, .answer)]),
        ("does not know its method", [.tell, .ask, .hear(unknown("PerformUpdate"), .answer)]),
    ]

    /// A program that was told something before its answer to a call had its chance; one that was told after it may reply yet.
    @Test(
        arguments: [
            ([], false), ([.ask], false), ([.tell], true), ([.tell, .hear(empty, .stray)], false),
            ([.tell, .ask], true),
            ([.tell, .ask, .hear(update, .answer)], false), ([.ask, .tell], true),
            ([.ask, .tell, .hear(update, .answer)], true),
            ([.tell, .ask, .tell, .hear(update, .answer)], true),
            ([.tell, .ask, .tell, .hear(update, .answer), .hear(empty, .stray)], false),
        ] as [([Step], Bool)])
    private func moreMayComeAfterAnAnswer(steps: [Step], isExpected: Bool) {
        var conversation = Conversation()
        for step in steps {
            switch step {
            case .ask: conversation.sent(VarlinkCall("a.b.C"))
            case .askForMore: conversation.sent(VarlinkCall("a.b.C", more: true))
            case .tell: conversation.sent(VarlinkCall("a.b.Appear", oneway: true))
            case .hear(let reply, _): _ = conversation.meaning(of: reply)
            }
        }
        #expect(conversation.expectsStrays == isExpected)
    }

    @Test(arguments: talks.map(\.name)) func aReplyHasItsMeaning(name: String) throws {
        let steps = try #require(Self.talks.first { $0.name == name }).steps
        var conversation = Conversation()
        for (place, step) in steps.enumerated() {
            switch step {
            case .ask: conversation.sent(VarlinkCall("a.b.C"))
            case .askForMore: conversation.sent(VarlinkCall("a.b.C", more: true))
            case .tell: conversation.sent(VarlinkCall("a.b.Appear", oneway: true))
            case .hear(let reply, let meaning):
                let heard = conversation.meaning(of: reply)
                #expect(heard == meaning, "step \(place)")
            }
        }
    }
}

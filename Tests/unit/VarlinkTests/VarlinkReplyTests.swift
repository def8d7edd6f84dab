// SPDX-License-Identifier: MIT
import JSON
import Testing
import Varlink

@Suite struct VarlinkReplyTests {
    @Test(arguments: [
        (VarlinkReply(), #"{"parameters":{}}"#),
        (VarlinkReply(["n": 1]), #"{"parameters":{"n":1}}"#),
        (VarlinkReply(["n": 1], continues: true), #"{"parameters":{"n":1},"continues":true}"#),
        (VarlinkReply(.permissionDenied), #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#),
        (
            VarlinkReply(.invalidParameter("id")),
            #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}}"#
        ),
    ])
    func saysOnlyWhatIsTheCase(_ reply: VarlinkReply, _ text: String) throws {
        #expect(reply.encoded() == Array(text.utf8) + [0])
        #expect(try VarlinkReply(parsing: Array(text.utf8)) == reply)
    }

    @Test(arguments: [
        "{}", #"{"parameters":null}"#, #"{"continues":false,"error":null}"#, #"{"com.example.trace":"x"}"#,
    ])
    func otherWaysToSayTheSameAreAccepted(_ text: String) throws {
        #expect(try VarlinkReply(parsing: Array(text.utf8)) == VarlinkReply())
    }

    @Test(arguments: [
        "", "null", "[]", #"{"parameters":1}"#, #"{"continues":"yes"}"#, #"{"error":1}"#,
        #"{"error":"a.b.C","continues":true}"#,
    ])
    func whatIsNoReplyIsAnErrorOfTheProtocol(_ text: String) {
        #expect(throws: VarlinkProtocolError.self) { try VarlinkReply(parsing: Array(text.utf8)) }
    }

    @Test(arguments: [true, false]) func serialisedParametersMakeTheSameMessage(_ continues: Bool) {
        let parameters: JSONObject = ["a": [1, "ü"]]
        var bytes: [UInt8] = []
        parameters.write(to: &bytes)
        let expected = VarlinkReply(parameters, continues: continues).encoded()
        #expect(VarlinkReply.encode(parametersBytes: bytes, continues: continues) == expected)
    }

    @Test func theResultOfAnErrorIsThrown() {
        #expect(throws: VarlinkError.expectedMore) { try VarlinkReply(.expectedMore).result() }
    }

    @Test(arguments: [
        (VarlinkError.methodNotFound("a.b.C"), "no such method: a.b.C"),
        (.interfaceNotFound("a.b"), "no such interface: a.b"), (.permissionDenied, "permission denied"),
        (.invalidParameter("x[3]"), "invalid parameter: x[3]"),
        (.methodNotImplemented("a.b.C"), "the method is not implemented: a.b.C"),
        (.expectedMore, #"the method answers more than once, so it must be called with "more""#),
        (VarlinkError(name: "a.b.NoSuch"), "a.b.NoSuch"),
        (VarlinkError(name: "a.b.NoSuch", parameters: ["id": "x"]), #"a.b.NoSuch {"id":"x"}"#),
    ])
    func errorsReadAsSentences(_ error: VarlinkError, _ text: String) {
        #expect(error.description == text)
    }
}

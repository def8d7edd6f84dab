// SPDX-License-Identifier: MIT
import JSON
import Testing
import Varlink

@Suite struct VarlinkCallTests {
    @Test(arguments: [
        (VarlinkCall("org.example.Get"), #"{"method":"org.example.Get"}"#),
        (VarlinkCall("a.b.C", ["x": 1]), #"{"method":"a.b.C","parameters":{"x":1}}"#),
        (VarlinkCall("a.b.C", oneway: true), #"{"method":"a.b.C","oneway":true}"#),
        (VarlinkCall("a.b.C", ["x": nil], more: true), #"{"method":"a.b.C","parameters":{"x":null},"more":true}"#),
        (VarlinkCall("a.b.C", upgrade: true), #"{"method":"a.b.C","upgrade":true}"#),
    ])
    func saysOnlyWhatIsNotTheDefault(_ call: VarlinkCall, _ text: String) throws {
        #expect(call.encoded() == Array(text.utf8) + [0])
        #expect(try VarlinkCall(parsing: Array(text.utf8)) == call)
    }

    @Test(arguments: [
        #"{"method":"a.b.C","parameters":{}}"#, #"{"method":"a.b.C","parameters":null}"#,
        #"{"more":false,"method":"a.b.C","oneway":false,"upgrade":false}"#, #" { "method" : "a.b.C" } "#,
        #"{"method":"a.b.C","more":null}"#,
    ])
    func absentNullAndEmptyAreTheSame(_ text: String) throws {
        #expect(try VarlinkCall(parsing: Array(text.utf8)) == VarlinkCall("a.b.C"))
    }

    @Test(arguments: [
        ("", "not JSON: line 1, column 1: expected a value, found the end"),
        ("{", "not JSON: line 1, column 2: expected a key in double quotes, found the end"),
        ("[]", "not a Varlink message: expected an object, found an array"),
        ("{}", "not a Varlink message: method: is missing"),
        (#"{"method":1}"#, "not a Varlink message: method: expected a string, found a number"),
        (
            #"{"method":"a.b.C","parameters":[]}"#,
            "not a Varlink message: parameters: expected an object, found an array"
        ),
        (#"{"method":"a.b.C","more":1}"#, "not a Varlink message: more: expected true or false, found a number"),
        (
            #"{"method":"a.b.C","paramters":{}}"#,
            #"not a Varlink message: paramters: unknown field, did you mean "parameters"?"#
        ),
        (#"{"method":"a.b.C","org.x":1}"#, #"not a Varlink message: ["org.x"]: unknown field"#),
        (
            #"{"method":"a.b.C","more":true,"oneway":true}"#,
            "not a Varlink message: oneway and more exclude each other"
        ),
    ])
    func whatIsNoCallIsAnErrorOfTheProtocol(_ text: String, _ message: String) {
        #expect { try VarlinkCall(parsing: Array(text.utf8)) } throws: {
            ($0 as? VarlinkProtocolError)?.description == message
        }
    }

    @Test(arguments: [
        ("org.varlink.service.GetInfo", "org.varlink.service", "GetInfo"), ("Ping", "", "Ping"), ("", "", ""),
        (".Ping", "", "Ping"), ("org.example.", "org.example", ""),
    ])
    func theNameOfTheMethodHasTwoParts(_ method: String, _ interface: String, _ member: String) {
        #expect(VarlinkCall(method).interfaceName == interface)
        #expect(VarlinkCall(method).memberName == member)
    }
}

// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import Varlink
import VarlinkInterface

@Suite struct ServiceInfoTests {
    private static let pingText =
        "interface org.example.ping\n\nmethod Ping(ping: string, times: ?int) -> (pong: string)\n"
    private static let info = ServiceInfo(
        vendor: "Example", product: "pinger", version: "1.0", url: "https://example.org",
        interfaces: [InterfaceText(pingText)])

    private func answer(_ method: String, _ parameters: JSONObject = [:]) -> JSONObject? {
        (try? Self.info.answer(VarlinkCall(method, parameters))) ?? nil
    }

    @Test func tellsWhoTheServiceIs() {
        #expect(
            answer("org.varlink.service.GetInfo") == [
                "vendor": "Example", "product": "pinger", "version": "1.0", "url": "https://example.org",
                "interfaces": ["org.varlink.service", "org.example.ping"],
            ])
    }

    @Test func describesEachInterfaceWithItsOwnText() {
        let method = "org.varlink.service.GetInterfaceDescription"
        #expect(answer(method, ["interface": "org.example.ping"]) == ["description": .string(Self.pingText)])
        #expect(answer(method, ["interface": "org.varlink.service"]) == ["description": .string(serviceInterface)])
    }

    @Test(
        arguments: [
            (VarlinkCall("org.example.pong.Ping"), .interfaceNotFound("org.example.pong")),
            (VarlinkCall("org.varlink.service.Pong"), .methodNotFound("org.varlink.service.Pong")),
            (VarlinkCall("Ping"), .invalidParameter("method")), (VarlinkCall(""), .invalidParameter("method")),
            (VarlinkCall("org.varlink.service.GetInfo", ["x": 1]), .invalidParameter("x")),
            (VarlinkCall("org.varlink.service.GetInterfaceDescription"), .invalidParameter("interface")),
            (
                VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": 1]),
                .invalidParameter("interface")
            ),
            (
                VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.example.ping", "x": 1]),
                .invalidParameter("x")
            ),
            (
                VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.example.pong"]),
                .interfaceNotFound("org.example.pong")
            ),
        ] as [(VarlinkCall, VarlinkError)])
    func refusesWhatThereIsNotAndWhatIsWrong(_ call: VarlinkCall, _ expected: VarlinkError) throws {
        var refusal: VarlinkError?
        do throws(VarlinkError) { _ = try Self.info.answer(call) } catch { refusal = error }
        let error = try #require(refusal)
        #expect(error == expected)
        let name = error.name.split(separator: ".").last.map(String.init) ?? ""
        #expect(InterfaceDescription.service.check(error.parameters, against: .error(name)) == nil)
    }

    /// What is there to call, and with what, the service itself says.
    @Test(arguments: ["Ping", "Pong", ""]) func aCallOfItsOwnInterfaceIsLeftToTheService(method: String) throws {
        #expect(try Self.info.answer(VarlinkCall("org.example.ping.\(method)", ["ping": 1], more: true)) == nil)
    }

    @Test func theServiceInterfaceIsForEverybodyAndHasAllSixErrors() {
        let service = InterfaceDescription.service
        #expect(service.name == serviceInterfaceName)
        #expect(service.lint == [])
        #expect(service.undocumented == [])
        #expect(service.methods.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
        #expect(
            service.errors.map(\.name) == [
                "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter", "PermissionDenied",
                "ExpectedMore",
            ])
        for error: VarlinkError in [
            .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"), .invalidParameter("x"),
            .permissionDenied, .expectedMore,
        ] {
            let name = error.name.split(separator: ".").last.map(String.init) ?? ""
            #expect(service.check(error.parameters, against: .error(name)) == nil)
        }
    }
}

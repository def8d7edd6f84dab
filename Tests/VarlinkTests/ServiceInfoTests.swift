// SPDX-License-Identifier: MIT
import Testing
import Varlink

@Suite struct ServiceInfoTests {
    private static let pingText =
        "interface org.example.ping\n\nmethod Ping(ping: string, times: ?int) -> (pong: string)\n"
    private static let info = ServiceInfo(
        vendor: "Example", product: "pinger", version: "1.0", url: "https://example.org",
        interfaces: [InterfaceDescription(constant: pingText)])

    private func answer(_ method: String, _ parameters: JSONObject = [:]) -> JSONObject? {
        if case .answer(let parameters) = Self.info.route(VarlinkCall(method, parameters)) { parameters } else { nil }
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
            (VarlinkCall("org.example.ping.Pong"), .methodNotFound("org.example.ping.Pong")),
            (VarlinkCall("org.varlink.service.Pong"), .methodNotFound("org.varlink.service.Pong")),
            (VarlinkCall("Ping"), .invalidParameter("method")), (VarlinkCall(""), .invalidParameter("method")),
            (VarlinkCall("org.example.ping.Ping"), .invalidParameter("ping")),
            (VarlinkCall("org.example.ping.Ping", ["ping": 1]), .invalidParameter("ping")),
            (VarlinkCall("org.example.ping.Ping", ["ping": "x", "time": 1]), .invalidParameter("time")),
            (VarlinkCall("org.varlink.service.GetInfo", ["x": 1]), .invalidParameter("x")),
            (VarlinkCall("org.varlink.service.GetInterfaceDescription"), .invalidParameter("interface")),
            (
                VarlinkCall("org.varlink.service.GetInterfaceDescription", ["interface": "org.example.pong"]),
                .interfaceNotFound("org.example.pong")
            ),
        ] as [(VarlinkCall, VarlinkError)])
    func refusesWhatThereIsNotAndWhatIsWrong(_ call: VarlinkCall, _ expected: VarlinkError) {
        guard case .refuse(let error) = Self.info.route(call) else {
            Issue.record("\(call.method) was not refused")
            return
        }
        #expect(error == expected)
        let name = error.name.split(separator: ".").last.map(String.init) ?? ""
        #expect(InterfaceDescription.service.check(error.parameters, against: .error(name)) == nil)
    }

    @Test func namesTheMethodToRunWhenAllIsRight() {
        let call = VarlinkCall("org.example.ping.Ping", ["ping": "x"], more: true)
        guard case .run(let method, let interface) = Self.info.route(call) else {
            Issue.record("not run")
            return
        }
        #expect(method.name == "Ping")
        #expect(interface.name == "org.example.ping")
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

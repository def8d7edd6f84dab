// SPDX-License-Identifier: MIT

/// Who a service is and which interfaces it has: enough to answer `org.varlink.service` and to refuse calls of what
/// there is not, without knowing what any method does.
package struct ServiceInfo: Sendable {
    package let vendor: String
    package let product: String
    package let version: String
    package let url: String
    /// All interfaces, `org.varlink.service` first.
    package let interfaces: [InterfaceDescription]

    /// - Parameter interfaces: those beside `org.varlink.service`.
    package init(vendor: String, product: String, version: String, url: String, interfaces: [InterfaceDescription]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = [.service] + interfaces
    }

    /// The same service, as who meets it on a connection where it has other interfaces.
    package func with(interfaces: [InterfaceDescription]) -> ServiceInfo {
        ServiceInfo(vendor: vendor, product: product, version: version, url: url, interfaces: interfaces)
    }

    /// What is to be done about a call.
    package enum Route: Sendable {
        /// Reply with this.
        case answer(JSONObject)
        /// Reply with this error.
        case refuse(VarlinkError)
        /// Run the method; the parameters are what it declares.
        case run(InterfaceDescription.Method, of: InterfaceDescription)
    }

    package func route(_ call: VarlinkCall) -> Route {
        // A name without an interface is not one that could exist.
        guard !call.interfaceName.isEmpty else { return .refuse(.invalidParameter("method")) }
        guard let interface = interface(named: call.interfaceName) else {
            return .refuse(.interfaceNotFound(call.interfaceName))
        }
        guard let method = interface.method(named: call.memberName) else {
            return .refuse(.methodNotFound(call.method))
        }
        if let mismatch = interface.check(call.parameters, against: .input(of: method.name)) {
            return .refuse(.invalidParameter(mismatch.path))
        }
        guard interface.name == serviceInterfaceName else { return .run(method, of: interface) }
        return method.name == "GetInfo" ? .answer(info) : describe(call.parameters["interface"]?.stringValue ?? "")
    }

    package func interface(named name: String) -> InterfaceDescription? { interfaces.first { $0.name == name } }

    private var info: JSONObject {
        [
            "vendor": .string(vendor), "product": .string(product), "version": .string(version), "url": .string(url),
            "interfaces": JSON(interfaces.map(\.name)),
        ]
    }

    private func describe(_ name: String) -> Route {
        guard let interface = interface(named: name) else { return .refuse(.interfaceNotFound(name)) }
        return .answer(["description": .string(interface.text)])
    }
}

extension InterfaceDescription {
    /// `org.varlink.service`.
    package static let service = InterfaceDescription(constant: serviceInterface)

    /// Reads a text that is part of the program: that it is wrong is a bug, which its tests find.
    package init(constant text: String) {
        do throws(InterfaceSyntaxError) {
            try self.init(parsing: text)
        } catch {
            preconditionFailure("interface description: \(error)")
        }
    }
}

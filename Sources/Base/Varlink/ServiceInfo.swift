// SPDX-License-Identifier: MIT
import JSON

/// The identity and the interfaces of a service: enough to answer `org.varlink.service` and to refuse calls of unknown
/// interfaces, without knowing what any method does.
package struct ServiceInfo: Sendable {
    package let vendor: String
    package let product: String
    package let version: String
    package let url: String
    /// All interfaces, `org.varlink.service` first.
    package let interfaces: [InterfaceText]

    /// - Parameter interfaces: those beside `org.varlink.service`.
    package init(vendor: String, product: String, version: String, url: String, interfaces: [InterfaceText]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = [InterfaceText(serviceInterface)] + interfaces
    }

    /// The same service with the interfaces that a client gets on this connection.
    package func with(interfaces: [InterfaceText]) -> ServiceInfo {
        ServiceInfo(vendor: vendor, product: product, version: version, url: url, interfaces: interfaces)
    }

    /// Answers a call of `org.varlink.service`, and refuses one of an interface that the service does not have.
    ///
    /// - Returns: nil for a call of one of the service's own interfaces.
    package func answer(_ call: VarlinkCall) throws(VarlinkError) -> JSONObject? {
        // No interface has an empty name.
        guard !call.interfaceName.isEmpty else { throw .invalidParameter("method") }
        guard interface(named: call.interfaceName) != nil else { throw .interfaceNotFound(call.interfaceName) }
        guard call.interfaceName == serviceInterfaceName else { return nil }
        switch call.memberName {
        case "GetInfo":
            try Self.expect([], in: call.parameters)
            return info
        case "GetInterfaceDescription":
            guard case .string(let name)? = call.parameters["interface"] else { throw .invalidParameter("interface") }
            try Self.expect(["interface"], in: call.parameters)
            guard let interface = interface(named: name) else { throw .interfaceNotFound(name) }
            return ["description": .string(interface.text)]
        default: throw .methodNotFound(call.method)
        }
    }

    private func interface(named name: String) -> InterfaceText? { interfaces.first { $0.name == name } }

    private var info: JSONObject {
        [
            "vendor": .string(vendor), "product": .string(product), "version": .string(version), "url": .string(url),
            "interfaces": JSON(interfaces.map(\.name)),
        ]
    }

    private static func expect(_ names: [String], in parameters: JSONObject) throws(VarlinkError) {
        if let other = parameters.keys.first(where: { !names.contains($0) }) { throw .invalidParameter(other) }
    }
}

/// The text of an interface, which is what `GetInterfaceDescription` returns.
package struct InterfaceText: Sendable {
    package let name: String
    package let text: String

    /// The name follows the first `interface` that begins a line. The tests read the whole text.
    package init(_ text: String) {
        let keyword = "interface "
        let line = text.split(separator: "\n").first { $0.hasPrefix(keyword) }
        name = String((line ?? "").dropFirst(keyword.count))
        self.text = text
    }
}

package let serviceInterfaceName = "org.varlink.service"

/// The interface that every Varlink service has, as `GetInterfaceDescription` returns it.
package let serviceInterface = """
    # What every Varlink service answers: who it is, and which interfaces it has.
    interface org.varlink.service

    # Who answers on this socket.
    method GetInfo() -> (
      # Who makes the service.
      vendor: string,
      # The name of the service.
      product: string,
      version: string,
      # Where to read about it.
      url: string,
      # The names of all its interfaces, this one among them.
      interfaces: []string
    )

    # The description of one interface, in the language in which this text is written.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no interface of this name.
    error InterfaceNotFound (interface: string)

    # The interface has no method of this name.
    error MethodNotFound (method: string)

    # The interface declares the method, but this service cannot do it.
    error MethodNotImplemented (method: string)

    # A parameter is missing, unknown, or not of the declared type.
    error InvalidParameter (parameter: string)

    # The method exists, but not for this client.
    error PermissionDenied ()

    # The method replies more than once, so it must be called with "more".
    error ExpectedMore ()

    """

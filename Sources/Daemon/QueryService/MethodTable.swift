// SPDX-License-Identifier: MIT
import Reactor
import TodayModel
import Varlink

extension QueryService {
    /// Serves the methods of the daemon beside those that the service answers itself.
    package func serve(_ methods: [Method], inContexts contextMethods: [Method]) {
        self.methods = Self.table(Self.readingMethods + methods)
        self.contextMethods = Self.table(contextMethods)
    }

    private static func table(_ methods: [Method]) -> [String: Method] {
        Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }

    private static let longestMethodName = 256

    /// Finds the method that a client calls, and its answer. The backend checks the permission of a peer by its
    /// credentials. A widget that uses its extension context needs no permission, because it can change only its own
    /// state.
    ///
    /// - Parameter isAuthorized: whether the machine's policy has allowed what the peer alone may not.
    func answer(
        to call: VarlinkCall, from session: Session, isAuthorized: Bool = false
    ) throws(VarlinkError) -> Answer {
        // No method has such a long name.
        guard call.method.utf8.count <= Self.longestMethodName else { throw .methodNotFound(call.method) }
        // No method hands the connection over to another protocol.
        if call.upgrade { throw .methodNotImplemented(call.method) }
        let isContext = session.widget != nil
        guard call.interfaceName == (isContext ? Interfaces.extensionContextName : Interfaces.todayName) else {
            guard let parameters = try (isContext ? contextInfo : info).answer(call) else {
                throw .methodNotImplemented(call.method)
            }
            return .parameters(parameters)
        }
        guard let method = (isContext ? contextMethods : methods)[call.memberName] else {
            throw .methodNotFound(call.method)
        }
        let parameters = try Parameters(call.parameters, allowing: method.parameterNames)
        return try method.answer(MethodCall(call, parameters, from: session, in: self, isAuthorized: isAuthorized))
    }
}

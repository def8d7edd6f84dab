// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

extension QueryService {
    /// The methods of org.todayd.Today.
    static let methods: [String: any Method.Type] = table([
        List.self, Show.self, Picture.self, Update.self, SetHasContent.self, HasContent.self, Enable.self, Disable.self,
        Move.self,
        SetDisplayMode.self, SetLockScreen.self, PerformAction.self, SetEditing.self, Push.self, GetDefaults.self,
        SetDefaults.self, OpenURL.self, PrepareCommand.self, Settings.self, SetSettings.self, ReadHistory.self,
        Status.self, Monitor.self,
        Reload.self,
    ])

    /// The methods of org.todayd.ExtensionContext.
    static let contextMethods: [String: any Method.Type] = table([
        ExtensionContext.Describe.self, ExtensionContext.SetHasContent.self, ExtensionContext.HasContent.self,
        ExtensionContext.SetLargestDisplayMode.self, ExtensionContext.OpenURL.self, ExtensionContext.GetDefaults.self,
        ExtensionContext.SetDefaults.self,
    ])

    private static func table(_ methods: [any Method.Type]) -> [String: any Method.Type] {
        Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
    }

    private static let longestMethodName = 256

    /// Finds the method that a client calls, and its answer. The backend checks the permission of a peer by its
    /// credentials. A widget that uses its extension context needs no permission, because it can change only its own
    /// state.
    func answer(to call: VarlinkCall, from session: Session) throws(VarlinkError) -> Answer {
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
        guard let type = (isContext ? Self.contextMethods : Self.methods)[call.memberName] else {
            throw .methodNotFound(call.method)
        }
        let method = try type.init(Parameters(call.parameters, allowing: type.parameterNames))
        return try method.answer(to: MethodCall(call, from: session, in: self))
    }
}

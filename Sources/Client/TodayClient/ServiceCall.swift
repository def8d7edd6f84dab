// SPDX-License-Identifier: MIT

import JSON
import Varlink

/// One call of org.todayd.Today, before it is sent.
struct ServiceCall: Equatable {
    let member: String
    var parameters: JSONObject = [:]

    init(_ member: String, _ parameters: JSONObject = [:]) {
        self.member = member
        self.parameters = parameters
    }

    /// With those parameters left out that have no value.
    init(_ member: String, optional parameters: [(String, String?)]) {
        self.member = member
        for (name, value) in parameters { self.parameters[name] = value.map(JSON.string) }
    }

    var method: String { "org.todayd.Today.\(member)" }

    /// The same call for the widget that was meant, when the daemon knows exactly one whose identifier ends in what was typed.
    func corrected(after error: VarlinkError) -> ServiceCall? {
        guard error.name == "org.todayd.Today.NoSuchWidget",
            let candidates = error.parameters["candidates"]?.arrayValue, candidates.count == 1,
            let meant = candidates[0].stringValue, let typed = error.parameters["id"]?.stringValue, meant != typed
        else { return nil }
        for name in ["id", "other"] where parameters[name]?.stringValue == typed {
            var call = self
            call.parameters[name] = .string(meant)
            return call
        }
        return nil
    }
}

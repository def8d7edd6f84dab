// SPDX-License-Identifier: MIT
import JSON

/// Sets one value of a group's defaults, or removes it.
struct SetDefaults: Equatable {
    let group: String
    let key: String
    let value: JSON?

    var call: ServiceCall {
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        // Every type of JSON travels in an object, which is a type Varlink has.
        parameters["value"] = value.map { ["value": $0] }
        return ServiceCall("SetDefaults", parameters)
    }
}

// SPDX-License-Identifier: MIT

import Varlink

/// What a browser is told of an error of todayd.
enum ServiceTrouble {
    static func answer(_ error: VarlinkError) -> (Int, String) {
        let reason = error.parameters["reason"]?.stringValue
        return switch error.name {
        case "org.todayd.Today.NoSuchWidget": (404, "there is no such widget")
        case "org.todayd.Today.Refused": (409, reason ?? "todayd refuses it")
        case "org.todayd.Today.NotStored": (500, reason ?? "todayd could not store it")
        case "org.todayd.Today.LimitReached": (503, reason ?? "todayd has too much to do")
        case "org.varlink.service.PermissionDenied": (403, "todayd does not let this page change that")
        case "org.varlink.service.InvalidParameter": (400, "todayd does not understand the request")
        default: (502, "todayd says: \(error.name)")
        }
    }
}

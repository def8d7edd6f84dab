// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

/// org.todayd.Today.Reload: reads the settings and all manifests again.
struct Reload: Method {
    static let name = "Reload"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        try context.require(.everything)
        return .later { done in
            context.backend.reload { result in
                done(
                    result.map { reload in
                        [
                            "widgets": .int(Int64(reload.widgets)),
                            "complaints": .array(reload.complaints.map(JSON.string)),
                        ]
                    })
            }
        }
    }
}

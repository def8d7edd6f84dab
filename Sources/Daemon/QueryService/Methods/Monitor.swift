// SPDX-License-Identifier: MIT
import Reactor
import Varlink

/// org.todayd.Today.Monitor: what happens, as it happens.
struct Monitor: Method {
    static let name = "Monitor"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        guard context.wantsMore else { throw .expectedMore }
        return .stream(context.service.feeds.events())
    }
}

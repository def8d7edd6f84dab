// SPDX-License-Identifier: MIT
import Formats
import TodayModel

extension RunRequest {
    /// What a program that ended well has printed, as the result of its run, and when it wants to be asked next.
    func result(of output: [UInt8]) -> (RunOutcome.Result, nextUpdate: TimeSpan?) {
        // An errand need not have anything to show.
        if errand != nil, output.isEmpty { return (.noData, nil) }
        do throws(OutputError) {
            let content = try manifest.update.contentProtocol.content(from: output)
            return (settled(.newData(content)), content.nextUpdate)
        } catch {
            return (.failed(error.description), nil)
        }
    }
}

extension RunRequest {
    /// New data that looks like what is shown is none: nobody is woken for it.
    func settled(_ result: RunOutcome.Result) -> RunOutcome.Result {
        if case .newData(let content) = result, content.looksLike(previous) { return .noData }
        return result
    }
}

extension Content {
    /// Whether a host would show the same. When to ask next is nothing to show: a widget that counts it down has no new
    /// content every time.
    fileprivate func looksLike(_ other: Content?) -> Bool {
        guard var other else { return false }
        other.nextUpdate = nextUpdate
        return self == other
    }
}

// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// Why there are no prices, in words that say what to do where that is in the user's hands.
package enum PriceError: Error {
    /// The currency or the endpoint is none.
    case settings(String)
    /// The server gave no answer, or refused.
    case transfer(HTTPError, Currency)
    /// The server's answer is not what the API says.
    case answer(String)
}

extension PriceError: WidgetRetrying {
    /// As long as the server has asked to wait.
    package var retryAfter: Duration? { if case .transfer(let error, _) = self { error.retryAfter } else { nil } }
}

extension PriceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .settings(let problem): problem
        case .transfer(.status(let response), let currency) where [400, 404, 422].contains(response.status):
            "no prices: \(HTTPError.status(response)); perhaps it does not know the currency \(currency.name)"
        case .transfer(let error, _): "no prices: \(error)"
        case .answer(let problem): "the answer with the prices cannot be used: \(problem)"
        }
    }
}

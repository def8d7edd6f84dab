// SPDX-License-Identifier: MIT
import TodayHTTP

/// Prices, and whether they are the server's.
package struct FetchedPrices: Hashable, Sendable {
    package let history: PriceHistory
    package let isSample: Bool

    package init(_ history: PriceHistory, isSample: Bool = false) {
        self.history = history
        self.isSample = isSample
    }
}

extension PriceSettings {
    /// Asks the server once.
    ///
    /// - Parameters:
    ///   - cache: one that keeps bodies, as the prices are drawn from them also when they are unchanged.
    ///   - allowsSample: take the sample prices where no server answers.
    package func fetch(cache: HTTPCache? = nil, allowsSample: Bool = true) async throws(PriceError) -> FetchedPrices {
        var request = HTTPRequest(endpoint.url(for: currency))
        request.headers.append("Accept", "application/json")
        request.timeout = timeout
        request.cache = cache
        request.allowsPlainHTTP = endpoint.isPlain
        // What may be asked without TLS is this machine; it could send on to any other.
        if endpoint.isPlain { request.redirectLimit = 0 }
        let response: HTTPResponse
        do {
            response = try await request.send()
        } catch {
            if allowsSample, error.isSilence, let history = try sample?.history(in: currency) {
                return FetchedPrices(history, isSample: true)
            }
            throw .transfer(error, currency)
        }
        do {
            return FetchedPrices(try PriceHistory(decoding: response.body, currency: currency))
        } catch {
            // Otherwise the server would confirm what cannot be used.
            cache?.forget(request.url)
            throw error
        }
    }
}

extension HTTPError {
    /// No server has said anything, as on a machine without a network.
    fileprivate var isSilence: Bool {
        switch self {
        case .unknownHost, .cannotConnect, .timedOut(_, nil): true
        default: false
        }
    }
}

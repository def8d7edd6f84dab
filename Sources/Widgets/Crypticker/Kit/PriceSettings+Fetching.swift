// SPDX-License-Identifier: MIT
import TodayHTTP

/// Prices from the server, or those of last time if it says that they are still the same.
package struct FetchedPrices: Sendable {
    package let history: PriceHistory
    package let isUnchanged: Bool
}

extension PriceSettings {
    /// Asks the server once.
    ///
    /// - Parameter cache: one that keeps bodies, as the prices are drawn from them also when they are unchanged.
    package func fetch(cache: HTTPCache? = nil) async throws(PriceError) -> FetchedPrices {
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
            throw .transfer(error, currency)
        }
        do {
            let history = try PriceHistory(decoding: response.body, currency: currency)
            return FetchedPrices(history: history, isUnchanged: response.isUnchanged)
        } catch {
            // Otherwise the server would confirm what nobody can use.
            cache?.forget(request.url)
            throw error
        }
    }
}

// SPDX-License-Identifier: MIT
import Files
import TodayHTTP
import TodayKit

/// Prices from a server, or sample prices.
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
    ///   - cache: must keep bodies: the prices are read from the kept body if the server says that they are unchanged.
    ///   - allowsSample: whether to use the sample prices if no server answers.
    package func fetch(cache: HTTPCache? = nil, allowsSample: Bool = true) async throws(PriceError) -> FetchedPrices {
        var request = HTTPRequest(endpoint.url(for: currency))
        request.headers.append("Accept", "application/json")
        request.timeout = timeout
        request.cache = cache
        request.allowsPlainHTTP = endpoint.isPlainHTTP
        // Plain HTTP is for this machine only, but a redirect could lead to another one.
        if endpoint.isPlainHTTP { request.redirectLimit = 0 }
        let response: HTTPResponse
        do {
            response = try await request.send()
        } catch {
            if allowsSample, error.isWithoutAnswer, let history = try sample?.history(in: currency) {
                return FetchedPrices(history, isSample: true)
            }
            throw .transfer(error, currency)
        }
        do {
            return FetchedPrices(try PriceHistory(decoding: response.body, currency: currency))
        } catch {
            // Otherwise the next request could be answered with "unchanged", and the bad body would be read again.
            cache?.forget(request.url)
            throw error
        }
    }
}

extension HTTPError {
    /// Whether no server has answered at all, as on a machine without a network.
    fileprivate var isWithoutAnswer: Bool {
        switch self {
        case .unknownHost, .cannotConnect, .timedOut(_, nil): true
        default: false
        }
    }
}

/// Prices in a file that has an answer of the server. App and widget show them if no server answers, and say that they are
/// sample prices. contrib/run uses them.
package struct SamplePrices: Hashable, Sendable {
    /// Only the environment names the file: with one of the group's defaults, every program that may write those could make
    /// the widget read any file.
    package static let variable = "CRYPTICKER_SAMPLE"
    private static let limit = 1 << 20

    package let path: String

    package init(path: String) { self.path = path }

    /// - Returns: nil if the currency is not the dollar.
    package func history(in currency: Currency) throws(PriceError) -> PriceHistory? {
        guard currency == .usd else { return nil }
        guard case .bytes(let bytes) = FileContents(at: path, limit: Self.limit) else {
            throw .settings("\(Self.variable) is \(path), which cannot be read; name a file, or unset it")
        }
        return try PriceHistory(decoding: bytes, currency: .usd)
    }
}

/// Why there are no prices, and what the user can do about it.
package enum PriceError: Error {
    /// A setting is wrong, such as the currency.
    case settings(String)
    /// The server has not answered, or has answered with an error.
    case transfer(HTTPError, Currency)
    /// The server's answer does not have the form of the API.
    case answer(String)
}

extension PriceError: WidgetRetrying {
    /// How long the server has asked to wait.
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

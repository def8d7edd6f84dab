// SPDX-License-Identifier: MIT
import Platform
import TodayKit

/// What the user has chosen: the currency and where prices come from. The environment comes before the group's defaults.
package struct PriceSettings: Sendable {
    /// The group of the app and its widget.
    package static let group = "group.org.todayd.crypticker"
    package static let currencyKey = "currency"
    package static let endpointKey = "endpoint"

    package var currency: Currency
    package let endpoint: Endpoint
    package let timeout: Duration
    package let sample: SamplePrices?

    /// - Throws: `PriceError.settings`. A wrong value is said and not passed over: the user has chosen something.
    package init(_ variables: EnvironmentVariables, _ defaults: [String: DefaultsValue]) throws(PriceError) {
        self.init(
            currency: try Self.currency(defaults), endpoint: try Self.endpoint(variables, defaults),
            timeout: try Self.timeout(variables), sample: variables[SamplePrices.variable].map(SamplePrices.init))
    }

    package init(
        currency: Currency, endpoint: Endpoint, timeout: Duration = .seconds(10), sample: SamplePrices? = nil
    ) {
        self.currency = currency
        self.endpoint = endpoint
        self.timeout = timeout
        self.sample = sample
    }

    /// The group's defaults; nil where there is no daemon to ask, or it knows no widget of the group.
    package static func shared() throws(PriceError) -> [String: DefaultsValue]? {
        do throws(TodayError) {
            return try GroupDefaults(suiteName: group).values()
        } catch {
            switch error {
            case .unavailable, .noSuchGroup: return nil
            default: throw .settings("the defaults of \(group) cannot be read: \(error)")
            }
        }
    }

    private static func currency(_ defaults: [String: DefaultsValue]) throws(PriceError) -> Currency {
        guard let value = defaults[currencyKey] else { return .usd }
        guard case .string(let text) = value, let currency = Currency(text) else {
            throw .settings("the default 'currency' of \(group) is not a code of 3 to 5 letters, such as usd")
        }
        return currency
    }

    private static func endpoint(_ variables: EnvironmentVariables, _ defaults: [String: DefaultsValue])
        throws(PriceError)
        -> Endpoint
    {
        if let given = variables["CRYPTICKER_ENDPOINT"] { return try Endpoint(given) }
        guard let value = defaults[endpointKey] else { return .coinGecko }
        guard case .string(let text) = value else {
            throw .settings("the default 'endpoint' of \(group) is not a text")
        }
        return try Endpoint(text)
    }

    private static func timeout(_ variables: EnvironmentVariables) throws(PriceError) -> Duration {
        guard let given = variables["CRYPTICKER_TIMEOUT"] else { return .seconds(10) }
        guard let seconds = Int(given), (1...60).contains(seconds) else {
            throw .settings("CRYPTICKER_TIMEOUT is not a number of seconds from 1 to 60")
        }
        return .seconds(seconds)
    }
}

// SPDX-License-Identifier: MIT
import Files

/// Prices in a file, in the form of the server's answer: for a look at the widget where no server answers, as contrib/run
/// gives it. Whatever shows them says so.
package struct SamplePrices: Hashable, Sendable {
    /// The environment's; a default would let a group's writer name files.
    package static let variable = "CRYPTICKER_SAMPLE"
    private static let limit = 1 << 20

    package let path: String

    package init(path: String) { self.path = path }

    /// - Parameter currency: they are in dollars, and nil in any other currency.
    package func history(in currency: Currency) throws(PriceError) -> PriceHistory? {
        guard currency == .usd else { return nil }
        guard case .bytes(let bytes) = FileLook(at: path, limit: Self.limit) else {
            throw .settings("\(Self.variable) is \(path), which cannot be read; name a file, or unset it")
        }
        return try PriceHistory(decoding: bytes, currency: .usd)
    }
}

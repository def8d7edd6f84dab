// SPDX-License-Identifier: MIT
import Testing

@testable import used_space_widget

@Suite struct SpaceTextTests {
    struct Rate: Sendable {
        let value: Double
        let text: String
        init(_ value: Double, _ text: String) { (self.value, self.text) = (value, text) }
    }

    static let rates: [Rate] = [
        Rate(0.5, "50.0%"), Rate(0.1234, "12.3%"), Rate(0.12349, "12.3%"), Rate(0.1235, "12.4%"), Rate(0, "0.0%"),
        Rate(1, "100.0%"), Rate(0.9999, "99.9%"), Rate(0.00001, "0.1%"), Rate(-1, "0.0%"), Rate(7, "100.0%"),
        Rate(.nan, "--"), Rate(0.005, "0.5%"),
    ]

    @Test(arguments: rates) func aRateHasOneDecimal(_ rate: Rate) {
        #expect(SpaceText.percentage(rate.value) == rate.text)
    }

    struct Size: Sendable {
        let bytes: UInt64
        let text: String
        init(_ bytes: UInt64, _ text: String) { (self.bytes, self.text) = (bytes, text) }
    }

    /// The same as `numfmt --to=iec` prints, which rounds as df does.
    static let sizes: [Size] = [
        Size(0, "0"), Size(1, "1"), Size(1_023, "1023"), Size(1_024, "1.0K"), Size(1_025, "1.1K"),
        Size(10_137, "9.9K"), Size(10_138, "10K"), Size(10_240, "10K"), Size(10_241, "11K"),
        Size(1_047_552, "1023K"), Size(1_047_553, "1.0M"), Size(1_048_576, "1.0M"), Size(80_000_000_000, "75G"),
        Size(1_099_511_627_775, "1.0T"), Size(2_000_000_000_000, "1.9T"), Size(1 << 50, "1.0P"),
        Size(1 << 60, "1.0E"), Size(.max, "16E"),
    ]

    @Test(arguments: sizes) func sizesAreAsDfHasThem(_ size: Size) {
        #expect(SpaceText.size(size.bytes) == size.text)
    }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// A colour. One with a meaning fits dark and light hosts, as vibrancy does on iOS: each host takes it from its own theme.
/// An exact one is shown as it is, so it must be readable on both.
public struct Color: Hashable, Sendable {
    let model: TodayModel.Color

    /// The colour of text.
    public static let primary = Color(model: .meaning(.primary))
    /// Text that matters less: a label, a unit, an explanation.
    public static let secondary = Color(model: .meaning(.secondary))
    /// What stands out or can be touched.
    public static let accent = Color(model: .meaning(.accent))
    /// All is well; a price has risen.
    public static let good = Color(model: .meaning(.good))
    /// Look at it when you have time.
    public static let warning = Color(model: .meaning(.warning))
    /// Look at it now.
    public static let critical = Color(model: .meaning(.critical))

    /// An exact colour.
    ///
    /// - Parameters:
    ///   - red: 0 to 1, as on iOS. What is beyond counts as the nearer end.
    ///   - green: 0 to 1.
    ///   - blue: 0 to 1.
    public init(red: Double, green: Double, blue: Double) {
        model = .rgb(red: Self.byte(red), green: Self.byte(green), blue: Self.byte(blue))
    }

    init(model: TodayModel.Color) { self.model = model }

    private static func byte(_ part: Double) -> UInt8 {
        part.isNaN ? 0 : UInt8((min(max(part, 0), 1) * 255).rounded())
    }
}

// SPDX-License-Identifier: MIT
import TodayModel

/// How many more bytes of pictures a menu may have. It counts down while lines are read, apart from the budget of the text:
/// pictures leave out no line.
struct MenuPictures {
    /// With the budgets of the text, less than content may have.
    private static let most = 200_000

    private var bytesLeft = Self.most
    private var hasTold = false

    /// The picture of a line; nil if it is none that todayd can keep. The notes do not repeat that there are too many.
    ///
    /// - Parameter times: in how many places it is drawn.
    mutating func take(_ text: String, times: Int, noting note: (String) -> Void) -> PNG? {
        var base64 = text[...]
        if base64.hasPrefix(Self.dataURL) { base64 = base64.dropFirst(Self.dataURL.count) }
        let png: PNG
        do throws(PNG.Defect) {
            png = try PNG(base64: String(base64))
        } catch {
            note("image= \(error.reason)")
            return nil
        }
        let cost = times * base64.utf8.count
        guard cost <= bytesLeft else {
            if !hasTold { note("image= is left out, as the pictures are more than \(Self.most) bytes of base64") }
            hasTold = true
            return nil
        }
        bytesLeft -= cost
        return png
    }

    private static let dataURL = "data:image/png;base64,"
}

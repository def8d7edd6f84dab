// SPDX-License-Identifier: MIT
import CCurl
import Glibc

/// How long a server asks not to be asked again: RFC 9110 section 10.2.3.
enum RetryAfter {
    /// Longer is a mistake or malice, and would silence a widget for good.
    static let longest: Duration = .seconds(86_400)

    /// `value` is a number of seconds or a date. A date counts from the date that the server thinks it is (`Date`), if it
    /// says so: its clock and ours may differ. What is neither is no wish.
    static func delay(_ value: String, serverDate: String?, now: Int) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
            return min(Int(value).map { .seconds($0) } ?? longest, longest)
        }
        guard let date = time(value) else { return nil }
        return min(max(.seconds(date - (serverDate.flatMap(time) ?? now)), .zero), longest)
    }

    /// All three forms of HTTP's dates begin with a weekday; curl_getdate(3) would take much else.
    private static func time(_ text: String) -> Int? {
        guard let first = text.utf8.first, HTTPHeaders.lowercase(first) >= UInt8(ascii: "a"), text.utf8.count < 64
        else {
            return nil
        }
        let time = curl_getdate(text, nil)
        return time < 0 ? nil : time
    }

    /// Seconds since 1970.
    static var now: Int { Glibc.time(nil) }
}

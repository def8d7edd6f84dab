// SPDX-License-Identifier: MIT

/// An error that knows when to try again. An update that throws one is not repeated before, even if the widget's interval
/// is shorter; without it, todayd waits a little longer after each failure.
///
/// The errors of TodayHTTP know it where the server has said so (`Retry-After`). An error of your own conforms like this:
///
///     enum FeedError: WidgetRetrying {
///         case maintenance(until: Duration)
///
///         var retryAfter: Duration? {
///             switch self { case .maintenance(let wait): wait }
///         }
///     }
public protocol WidgetRetrying: Error {
    /// How long there is no use in asking again: a year at most. Nil, or nothing at all, leaves it to todayd.
    var retryAfter: Duration? { get }
}

/// An update that failed for a reason in words, to be thrown by `widgetPerformUpdate()`.
public struct WidgetFailure: WidgetRetrying, CustomStringConvertible {
    /// The reason, in one line.
    public let description: String
    /// How long there is no use in asking again.
    public let retryAfter: Duration?

    /// Makes an error of a reason such as `the server answered with status 503`, and of the time to wait where that is
    /// known.
    public init(_ reason: String, retryAfter: Duration? = nil) {
        description = reason
        self.retryAfter = retryAfter
    }
}

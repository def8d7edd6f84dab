// SPDX-License-Identifier: MIT

/// A widget that says by a completion handler when its update is done, as they did before there was `async`.
///
/// A protocol of its own, so that the compiler notices when a widget has neither form of the update.
@MainActor
public protocol NCWidgetCompletionProviding: NCWidgetProviding {
    /// Fetch what is new, then call the handler, from any thread or task. Only the first call counts. If there is none,
    /// the update ends with the `Timeout=` of the manifest.
    mutating func widgetPerformUpdate(completionHandler: @escaping @Sendable (NCUpdateResult) -> Void)
}

extension NCWidgetCompletionProviding {
    /// Waits for the completion handler.
    public mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        // A stream and no continuation: it may be called twice, which is ignored, and it may be forgotten.
        let (results, continuation) = AsyncStream.makeStream(
            of: NCUpdateResult.self, bufferingPolicy: .bufferingOldest(1))
        widgetPerformUpdate { result in
            continuation.yield(result)
            continuation.finish()
        }
        for await result in results { return result }
        // Only a task that was cancelled comes here.
        throw CancellationError()
    }
}

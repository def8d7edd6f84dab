// SPDX-License-Identifier: MIT
import JSON

extension ExtensionContext {
    /// Asks to open the containing app by a URL of one of the schemes in `URLSchemes=` of the manifest. Only while an action
    /// is performed.
    ///
    /// When this returns, the URL is *accepted*: the host where the user pressed the button gets it with the answer to that
    /// press, and opens it as that user. A host that cannot, because the machine has no program for the scheme or no desktop,
    /// tells the user; the widget, which may have ended by then, does not learn of it.
    ///
    /// - Throws: `TodayError.refused` with the reason when the daemon does not allow it.
    public func open(_ url: String) async throws(TodayError) {
        guard let context = Surroundings.current.context else {
            throw .unavailable("nothing opens a URL here: this process has no connection to todayd")
        }
        _ = try context.call("OpenURL", ["url": .string(url)])
    }

    /// The same with a completion handler, which is told whether the URL was accepted. Why not goes to standard error;
    /// `try await open(_:)` throws it.
    public func open(_ url: String, completionHandler: ((_ isAccepted: Bool) -> Void)?) {
        Task {
            do throws(TodayError) {
                try await open(url)
                completionHandler?(true)
            } catch {
                StandardError.say("open(\(url)): \(error)")
                completionHandler?(false)
            }
        }
    }
}

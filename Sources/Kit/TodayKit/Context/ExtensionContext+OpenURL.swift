// SPDX-License-Identifier: MIT
import Varlink

extension ExtensionContext {
    /// Opens the containing app by a URL of one of the schemes in `URLSchemes=` of the manifest. Only while an action is
    /// performed: the host where the user pressed the button opens it, as that user.
    ///
    /// - Throws: `TodayError.refused` with the reason when the daemon does not allow it.
    public func open(_ url: String) async throws(TodayError) {
        guard let context = Surroundings.current.context else {
            throw .unavailable("nothing opens a URL here: this process has no connection to todayd")
        }
        _ = try context.call("OpenURL", ["url": .string(url)])
    }

    /// The same with a completion handler, which is told whether the URL is opened. Why not goes to standard error; who
    /// wants to know uses `try await open(_:)`.
    public func open(_ url: String, completionHandler: ((Bool) -> Void)?) {
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

// SPDX-License-Identifier: MIT
import CCurl

/// A multi handle of libcurl: it performs transfers and keeps their connections.
///
/// One thread uses it, that of the caller. Another one may only call `wakeUp`.
package final class CurlSet {
    private let handle: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Called when libcurl wants a descriptor watched, or no longer watched.
    package var onSocket: (Int32, Interest) -> Void = { _, _ in }
    /// Called when `continueAfterTimeout` is due after so many milliseconds; nil: not any more.
    package var onTimer: (Int?) -> Void = { _ in }

    package enum Interest: Sendable {
        case none, read, write, both
    }

    package init() throws(CurlFault) {
        guard CurlTransfer.isInitialized, let handle = curl_multi_init() else {
            throw CurlFault(description: "libcurl cannot be initialized")
        }
        self.handle = handle
    }

    /// Closes the connections. The set must contain no transfer any more.
    package func close() { curl_multi_cleanup(handle) }

    package func add(_ transfer: CurlTransfer) throws(CurlFault) {
        guard curl_multi_add_handle(handle, transfer.handle) == CURLM_OK else {
            throw CurlFault(description: "libcurl takes no request")
        }
        transfers[transfer.handle] = transfer
    }

    package func remove(_ transfer: CurlTransfer) {
        guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
        curl_multi_remove_handle(handle, transfer.handle)
    }

    /// The next transfer that has ended, which stays in the set until it is removed.
    package func nextEnd() -> (transfer: CurlTransfer, code: CurlCode)? {
        var code = CURLE_OK
        var ended: UnsafeMutableRawPointer?
        guard ccurl_next_result(handle, &code, &ended) != 0, let ended, let transfer = transfers[ended] else {
            return nil
        }
        return (transfer, CurlCode(code))
    }

    // MARK: On a thread that waits

    package func perform() throws(CurlFault) {
        var running: Int32 = 0
        guard curl_multi_perform(handle, &running) == CURLM_OK else { throw CurlFault(description: "libcurl failed") }
    }

    /// Waits until something may be done, or `wakeUp` is called.
    package func wait(milliseconds: Int32) { _ = curl_multi_poll(handle, nil, 0, milliseconds, nil) }

    /// Lets another thread end the wait, as long as the set is not closed.
    package var waker: CurlWaker { CurlWaker(handle: handle) }

    // MARK: In an event loop

    /// Makes libcurl call `onSocket` and `onTimer` from now on: CURLMOPT_SOCKETFUNCTION(3), CURLMOPT_TIMERFUNCTION(3).
    package func watchSockets() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_watchers(
            handle,
            { _, descriptor, what, context, _ in
                guard let context else { return 0 }
                let interest: Interest =
                    switch Int32(what) {
                    case CURL_POLL_IN: .read
                    case CURL_POLL_OUT: .write
                    case CURL_POLL_INOUT: .both
                    default: .none
                    }
                Unmanaged<CurlSet>.fromOpaque(context).takeUnretainedValue().onSocket(descriptor, interest)
                return 0
            },
            { _, milliseconds, context in
                guard let context else { return 0 }
                let set = Unmanaged<CurlSet>.fromOpaque(context).takeUnretainedValue()
                set.onTimer(milliseconds < 0 ? nil : milliseconds)
                return 0
            }, context)
    }

    package func continueAfter(_ descriptor: Int32, isReadable: Bool, isWritable: Bool) {
        var running: Int32 = 0
        let events = (isReadable ? CURL_CSELECT_IN : 0) | (isWritable ? CURL_CSELECT_OUT : 0)
        curl_multi_socket_action(handle, descriptor, events, &running)
    }

    package func continueAfterTimeout() {
        var running: Int32 = 0
        // CURL_SOCKET_TIMEOUT
        curl_multi_socket_action(handle, -1, 0, &running)
    }
}

/// Ends the wait of a `CurlSet` on another thread: curl_multi_wakeup(3) is the one call that libcurl allows there.
package struct CurlWaker: @unchecked Sendable {
    fileprivate let handle: UnsafeMutableRawPointer

    package func wakeUp() { _ = curl_multi_wakeup(handle) }
}

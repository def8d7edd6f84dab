// SPDX-License-Identifier: MIT
import TestSupport
import TodayHTTP

extension LocalServer {
    /// Makes a request to this server.
    func request(_ path: String = "/") -> HTTPRequest {
        var request = HTTPRequest(url(path))
        request.allowsPlainHTTP = true
        return request
    }
}

/// The error of a request in words; nil if it succeeds.
func failure(of request: HTTPRequest) async -> String? {
    do {
        _ = try await request.send()
        return nil
    } catch {
        return error.description
    }
}

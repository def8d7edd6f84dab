// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// GitHub or GitLab, or a server with either's software.
struct Forge {
    enum Kind: String { case github, gitlab }

    /// A repository and the branch whose last run is shown; nil means any branch.
    struct Repository: Equatable {
        let path: String
        let branch: String?

        /// - Parameter text: `owner/name` or `owner/name#branch`, also as a URL, or as git clones it.
        init?(_ text: String) {
            var rest = text[...]
            if let scheme = rest.firstIndex(of: ":"), rest[scheme...].hasPrefix("://") {
                rest = rest[scheme...].dropFirst(3).drop { $0 != "/" }.dropFirst()
            } else if let host = rest.firstIndex(of: ":"), !rest[..<host].contains("/") {
                rest = rest[host...].dropFirst()
            }
            let parts = rest.split(separator: "#", maxSplits: 1)
            var names = (parts.first ?? "").split(separator: "/")
            guard names.count >= 2, let last = names.popLast() else { return nil }
            names.append(last.hasSuffix(".git") && last.count > 4 ? last.dropLast(4) : last)
            path = names.joined(separator: "/")
            branch = parts.count > 1 ? String(parts[1]) : nil
        }

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    let kind: Kind
    let server: HTTPServer
    let token: String?

    init(_ kind: Kind, server: String?, token: String?) {
        self.kind = kind
        let usual = kind == .github ? "https://api.github.com" : "https://gitlab.com"
        self.server = HTTPServer(server ?? usual, insteadBy: "REPOSITORIES_SERVER")
        self.token = token
    }

    private func ask(_ path: String, _ query: KeyValuePairs<String, String>) async throws(HTTPError) -> JSONValue {
        var request = server.request(path, query)
        if let token {
            switch kind {
            case .github: request.headers.append("Authorization", "Bearer \(token)")
            case .gitlab: request.headers.append("PRIVATE-TOKEN", token)
            }
        }
        return try await request.send().json()
    }

    // MARK: What is asked

    /// The last run of the branch.
    func run(of repository: Repository) async throws(HTTPError) -> ForgeRun? {
        func query(_ name: String) -> KeyValuePairs<String, String> {
            if let branch = repository.branch { [name: branch, "per_page": "1"] } else { ["per_page": "1"] }
        }
        switch kind {
        case .github:
            let path = repository.path.split(separator: "/").map { HTTPServer.encoded(String($0)) }.joined(
                separator: "/")
            let answer = try await ask("/repos/\(path)/actions/runs", query("branch"))
            return try answer["workflow_runs"].elements().first.flatMap { ForgeRun(github: $0) }
        case .gitlab:
            let path = HTTPServer.encoded(repository.path)
            let answer = try await ask("/api/v4/projects/\(path)/pipelines", query("ref"))
            return try answer.elements().first.flatMap { ForgeRun(gitlab: $0) }
        }
    }

    /// How many notifications wait, and the reviews that are requested of the user; nil without a token.
    func inbox() async throws(HTTPError) -> (notifications: Int, reviews: [ForgeReview])? {
        if token == nil { return nil }
        switch kind {
        case .github:
            let notifications = try await ask("/notifications", ["per_page": "50"]).elements().count
            let found = try await ask("/search/issues", ["q": "is:open is:pr review-requested:@me", "per_page": "10"])
            return (notifications, try found["items"].elements().compactMap { ForgeReview($0, url: "html_url") })
        case .gitlab:
            let notifications = try await ask("/api/v4/todos", ["state": "pending", "per_page": "50"]).elements().count
            let found = try await ask(
                "/api/v4/merge_requests", ["scope": "reviews_for_me", "state": "opened", "per_page": "10"])
            return (notifications, try found.elements().compactMap { ForgeReview($0, url: "web_url") })
        }
    }
}

/// A run of checks.
struct ForgeRun: Equatable {
    enum State { case passed, failed, running, other }

    let state: State
    let url: String?

    init?(github answer: JSONValue) {
        guard let status = answer["status"].string else { return nil }
        state =
            switch (status, answer["conclusion"].string) {
            case ("completed", "success"): .passed
            case ("completed", "failure"), ("completed", "timed_out"), ("completed", "startup_failure"): .failed
            case ("completed", _): .other
            default: .running
            }
        url = answer["html_url"].string
    }

    init?(gitlab answer: JSONValue) {
        guard let status = answer["status"].string else { return nil }
        state =
            switch status {
            case "success": .passed
            case "failed": .failed
            case "canceled", "skipped", "manual", "scheduled": .other
            default: .running
            }
        url = answer["web_url"].string
    }

    /// The last runs of several branches in words, none of which has failed; nil is a branch without a run.
    static func words(of states: [State?]) -> String {
        let running = states.filter { $0 == .running }.count
        if states.isEmpty { return "nothing waits" }
        if running > 0 { return running == 1 ? "1 run goes on" : "\(running) runs go on" }
        return states.allSatisfy { $0 == .passed } ? "all passed" : "none failed"
    }

    var words: String {
        switch state {
        case .passed: "passed"
        case .failed: "failed"
        case .running: "running"
        case .other: "not run"
        }
    }
}

/// A change that waits for the user.
struct ForgeReview: Equatable {
    let title: String
    let url: String

    init?(_ answer: JSONValue, url key: String) {
        guard let title = answer["title"].string, let url = answer[key].string, url.hasPrefix("https://") else {
            return nil
        }
        self.title = Text.line(of: title, upTo: 200)
        self.url = url
    }
}

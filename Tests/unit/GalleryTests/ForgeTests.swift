// SPDX-License-Identifier: MIT
import Testing
import TodayHTTP

@testable import repositories_widget

/// What GitHub and GitLab say of a run.
@Suite struct ForgeTests {
    @Test(
        arguments: [
            ("owner/name", "owner/name", nil), ("owner/name#main", "owner/name", "main"),
            ("https://github.com/owner/name#a/b", "owner/name", "a/b"), ("group/sub/name/", "group/sub/name", nil),
            ("git@github.com:owner/name.git", "owner/name", nil), ("owner/a:b/name", "owner/a:b/name", nil),
            ("https://gitlab.com/group/sub/name.git#main", "group/sub/name", "main"),
            ("ssh://git@a.b:22/owner/name.git", "owner/name", nil),
        ] as [(String, String, String?)])
    func aRepositoryIsNamed(text: String, path: String, branch: String?) throws {
        let repository = try #require(Forge.Repository(text))
        #expect(repository.path == path && repository.branch == branch && repository.name == "name")
    }

    @Test(arguments: ["", "name", "/", "https://github.com/name", "#main", "git@github.com:name"])
    func otherTextIsNone(text: String) { #expect(Forge.Repository(text) == nil) }

    private static let github: [(String, ForgeRun.State)] = [
        (#"{"status": "completed", "conclusion": "success"}"#, .passed),
        (#"{"status": "completed", "conclusion": "failure"}"#, .failed),
        (#"{"status": "completed", "conclusion": "timed_out"}"#, .failed),
        (#"{"status": "completed", "conclusion": "cancelled"}"#, .other),
        (#"{"status": "queued", "conclusion": null}"#, .running), (#"{"status": "in_progress"}"#, .running),
    ]

    @Test(arguments: github.indices) func aRunOfGitHub(index: Int) throws {
        let (answer, state) = Self.github[index]
        #expect(ForgeRun(github: try JSONValue(parsing: answer))?.state == state)
    }

    private static let states: [([ForgeRun.State?], String)] = [
        ([], "nothing waits"), ([.passed, .passed], "all passed"), ([.passed, nil], "none failed"),
        ([.passed, .other], "none failed"), ([.running, .passed], "1 run goes on"),
        ([.running, .running, nil], "2 runs go on"),
    ]

    @Test(arguments: states.indices) func runsInWords(index: Int) {
        #expect(ForgeRun.words(of: Self.states[index].0) == Self.states[index].1)
    }

    @Test(arguments: [
        ("success", "passed"), ("failed", "failed"), ("pending", "running"), ("running", "running"),
        ("canceled", "not run"),
    ])
    func aRunOfGitLab(status: String, words: String) throws {
        let answer = try JSONValue(parsing: #"{"status": "\#(status)", "web_url": "https://a.b"}"#)
        let run = ForgeRun(gitlab: answer)
        #expect(run?.words == words && run?.url == "https://a.b")
        #expect(ForgeRun(gitlab: try JSONValue(parsing: "null")) == nil)
        #expect(ForgeRun(github: try JSONValue(parsing: "{}")) == nil)
    }

    @Test func aReviewHasAPage() throws {
        let answer = try JSONValue(
            parsing: #"{"title": "A\nchange", "html_url": "https://a.b/1", "web_url": "file:///x"}"#)
        #expect(ForgeReview(answer, url: "html_url")?.title == "A change")
        #expect(ForgeReview(answer, url: "web_url") == nil && ForgeReview(answer, url: "none") == nil)
    }
}

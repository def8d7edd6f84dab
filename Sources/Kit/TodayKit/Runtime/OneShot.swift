// SPDX-License-Identifier: MIT
import Arguments
import JSON
import TodayModel

/// One run with Protocol=json: the content on standard output and exit status 0, or a reason on standard error and 1. A
/// failure that knows when to come again is on standard output, too.
@MainActor
struct OneShot<Widget: TodayWidget> {
    let variables: Variables
    /// Where the content goes.
    let output: Int32

    func run() async -> Int32 {
        let request = WidgetRequest(variables)
        let host = WidgetHost<Widget>(request)
        let call = WidgetCall(variables)
        let outcome = await host.perform(call, request)
        defer { host.end(isForOneCall: true) }
        switch outcome {
        case .newData(let content):
            // What is drawn while the user edits is an editor, and nothing to come back to.
            if !request.isEditing { Self.keep(content) }
            return print(content)
        case .noData(let nextUpdate):
            // The daemon compares what is printed with what it has: the same again is no new data there, too.
            do {
                var content = try (request.isEditing ? nil : Self.kept()) ?? host.content()
                if content.timeline == nil { content.nextUpdate = nextUpdate }
                return print(content)
            } catch {
                return fail("\(error)")
            }
        case .failed(let reason, let retryAfter):
            if let retryAfter { _ = write(["failed": .string(reason), "nextUpdate": .int(retryAfter.microseconds)]) }
            return fail(reason)
        }
    }

    private func print(_ content: Content) -> Int32 { write(content.json) ? 0 : fail("cannot write the content") }

    private func write(_ json: JSON) -> Bool { StandardStreams.writeAll(Array("\(json.text)\n".utf8), to: output) }

    private func fail(_ reason: String) -> Int32 {
        StandardError.say(reason)
        return 1
    }

    // MARK: What was printed last

    /// Nil where there is no directory for it; then there is nothing to read either.
    private static var path: String? { (try? Containers(Surroundings.current).own()).map { "\($0)/content.json" } }

    private static func keep(_ content: Content) {
        guard let path else { return }
        do throws(TodayError) {
            try SmallFile.write(Array(content.json.text.utf8), to: path)
        } catch {
            // The content itself is fine, and is drawn anew when it is needed.
            StandardError.say("\(error)")
        }
    }

    private static func kept() -> Content? {
        guard let bytes = path.flatMap(SmallFile.read), let json = try? JSON.parse(bytes) else { return nil }
        return try? Content(JSONField(root: json))
    }
}

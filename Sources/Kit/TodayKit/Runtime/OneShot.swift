// SPDX-License-Identifier: MIT
import Arguments
import JSON
import Platform
import TodayModel

/// One run with Protocol=json: content on standard output and exit status 0, or a reason on standard error and status 1. A
/// failure with a time to retry is on standard output, too.
@MainActor
struct OneShot<Widget: TodayWidget> {
    let variables: EnvironmentVariables
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
            let text = content.json.text
            // While the user edits, the content is an editor, which a later `noData` must not show again.
            if !request.isEditing { Self.store(text) }
            return print(text)
        case .noData(let nextUpdate):
            // The last content again: todayd compares it with the snapshot and finds nothing new.
            do {
                var content = try (request.isEditing ? nil : Self.storedContent()) ?? host.content()
                if content.timeline == nil { content.nextUpdate = nextUpdate }
                return print(content.json.text)
            } catch {
                return fail("\(error)")
            }
        case .failed(let reason, let retryAfter):
            if let retryAfter {
                let failure: JSON = ["failed": .string(reason), "nextUpdate": .int(retryAfter.microseconds)]
                _ = write(failure.text)
            }
            return fail(reason)
        }
    }

    private func print(_ content: String) -> Int32 { write(content) ? 0 : fail("cannot write the content") }

    private func write(_ json: String) -> Bool { Descriptor.writeAll(Array("\(json)\n".utf8), to: output) }

    private func fail(_ reason: String) -> Int32 {
        StandardError.write(reason)
        return 1
    }

    // MARK: The last content

    /// Nil if the widget has no directory.
    private static var path: String? {
        (try? Containers(Surroundings.current).ownDirectory()).map { "\($0)/content.json" }
    }

    private static func store(_ content: String) {
        guard let path else { return }
        do throws(TodayError) {
            try SmallFile.write(Array(content.utf8), to: path, isSynced: false)
        } catch {
            // The run goes on: a later `noData` draws the body instead.
            StandardError.write("\(error)")
        }
    }

    private static func storedContent() -> Content? {
        guard let bytes = path.flatMap(SmallFile.read), let json = try? JSON.parse(bytes) else { return nil }
        return try? Content(JSONField(root: json))
    }
}

// SPDX-License-Identifier: MIT
import Arguments
import JSON
import Platform
import TodayModel

/// One run with Protocol=json: content, or that nothing is new, on standard output and exit status 0, or a reason on standard error
/// and status 1. A failure with a time to retry is on standard output, too.
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
        case .newData(let content): return print(content.json)
        case .noData(let nextUpdate):
            var answer: JSONObject = ["noData": .bool(true)]
            answer["nextUpdate"] = nextUpdate.map { .int($0.microseconds) }
            return print(.object(answer))
        case .failed(let reason, let retryAfter):
            if let retryAfter {
                let failure: JSON = ["failed": .string(reason), "nextUpdate": .int(retryAfter.microseconds)]
                _ = write(failure)
            }
            return fail(reason)
        }
    }

    private func print(_ answer: JSON) -> Int32 { write(answer) ? 0 : fail("cannot write the content") }

    private func write(_ json: JSON) -> Bool {
        var line: [UInt8] = []
        json.write(to: &line)
        line.append(UInt8(ascii: "\n"))
        return Descriptor.writeAll(line, to: output)
    }

    private func fail(_ reason: String) -> Int32 {
        StandardError.write(reason)
        return 1
    }
}

// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// The result of one run of a widget.
package struct FleetResult: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case newData, noData, failed
    }

    package var kind: Kind
    /// As todayd encodes it; with `newData` only.
    package var content: JSON?
    /// With `failed` only.
    package var failure: String?
    /// When the widget asked to be run again.
    package var wait: TimeSpan?

    package init(_ kind: Kind, content: JSON? = nil, failure: String? = nil, wait: TimeSpan? = nil) {
        (self.kind, self.content, self.failure, self.wait) = (kind, content, failure, wait)
    }

    /// Reads the reply of RunForFleet.
    package init(_ field: JSONField) throws(JSONMismatch) {
        kind = try field.required("result").choice(Kind.self)
        content = try field.optional("content")?.value
        failure = try field.optional("failure")?.string()
        wait = try field.optional("wait")?.span(in: 0...Int.max)
    }
}

/// What a member publishes about a widget: an accepted result, and the last good content for members that join later.
package struct FleetRecord: Equatable, Sendable {
    /// A member neither reads nor replaces records of a newer format.
    package static let format = 1
    /// A date that has passed must not make the fleet run a widget without a pause.
    private static let waits = TimeSpan.seconds(1)...TimeSpan.days(366)
    /// etcd takes 1.5 MiB in one request.
    package static let longest = 512 << 10

    package var member: FleetMember
    /// The revision of the claim under which it was published.
    package var claim: Int64
    package var kind: FleetResult.Kind
    package var content: JSON?
    package var failure: String?
    /// How long no member claims the widget; nil means without end.
    package var wait: TimeSpan?
    package var failuresInARow = 0
    /// By the member's clock. It decides only the age that people read.
    package var date: WallTime

    package init(
        _ member: FleetMember, claim: Int64, _ result: FleetResult, after last: FleetRecord?, interval: TimeSpan?,
        at now: WallTime
    ) {
        (self.member, self.claim, kind, failure, date) = (member, claim, result.kind, result.failure, now)
        content = result.content ?? last?.content
        if kind == .failed {
            failuresInARow = min(1_000, (last?.failuresInARow ?? 0) + 1)
            wait = result.wait ?? Self.retry(after: failuresInARow, interval)
        } else {
            wait = result.wait ?? interval
        }
        wait = wait.map { min(max($0, Self.waits.lowerBound), Self.waits.upperBound) }
    }

    /// The waits of todayd on one machine: 1, 4, 9 … minutes, and never longer than the interval.
    private static func retry(after failures: Int, _ interval: TimeSpan?) -> TimeSpan {
        let delay = TimeSpan.minutes(Int64(min(failures, 100)) * Int64(min(failures, 100)))
        return interval.map { min($0, delay) } ?? delay
    }

    package var json: JSON {
        var object: JSONObject = [
            "format": JSON(Self.format), "member": .string(member.id), "name": .string(member.name),
            "claim": .int(claim), "result": .string(kind.rawValue), "date": .int(date.microseconds),
        ]
        object["failure"] = failure.map(JSON.string)
        object["wait"] = wait.map { .int($0.microseconds) }
        if failuresInARow > 0 { object["failuresInARow"] = JSON(failuresInARow) }
        object["content"] = content
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        let format = try field.required("format")
        guard try format.int() == Self.format else {
            throw format.fail("a newer today-fleet has written it (format \(format.value), known is \(Self.format))")
        }
        member = FleetMember(
            id: try field.required("member").line(upTo: 64), name: try field.required("name").line(upTo: 256))
        claim = Int64(try field.required("claim").int(in: 0...Int.max))
        kind = try field.required("result").choice(FleetResult.Kind.self)
        content = try field.optional("content")?.value
        failure = try field.optional("failure")?.line(upTo: RunRecord.reasonBytes)
        wait = try field.optional("wait")?.span(in: 0...Int(Self.waits.upperBound.microseconds))
        failuresInARow = try field.optional("failuresInARow")?.int(in: 0...1_000) ?? 0
        date = try field.required("date").wallTime()
    }
}

/// One todayd of a fleet.
package struct FleetMember: Hashable, Sendable {
    /// A hash of the machine and the instance, and a number for this start of today-fleet.
    package var id: String
    /// Of the machine, for people.
    package var name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }

    package var json: JSON { ["member": .string(id), "name": .string(name)] }

    package init(_ field: JSONField) throws(JSONMismatch) {
        id = try field.required("member").line(upTo: 64)
        name = try field.required("name").line(upTo: 256)
    }
}

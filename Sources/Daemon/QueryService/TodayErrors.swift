// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel
import Varlink

/// The errors of org.todayd.Today.
extension VarlinkError {
    /// How many identifiers are compared letter by letter, those that resemble the name most. It bounds what an unknown
    /// name costs, however many widgets there are.
    private static let comparisons = 32

    static func noSuchWidget(_ name: String, among widgets: [WidgetID]) -> VarlinkError {
        let name = name.shortened(to: WidgetID.maximumLength)
        let candidates = widgets.filter { $0.hasSuffix(name) }
        var parameters: JSONObject = ["id": .string(name), "candidates": .array(candidates.map { .string($0.text) })]
        if candidates.isEmpty { parameters["nearest"] = nearest(to: name, among: widgets).map(JSON.string) }
        return today("NoSuchWidget", parameters)
    }

    static func noSuchGroup(_ group: String) -> VarlinkError {
        today("NoSuchGroup", ["group": .string(group.shortened(to: WidgetID.maximumLength))])
    }

    static func invalidContent(_ mismatch: JSONMismatch) -> VarlinkError {
        today("InvalidContent", ["field": .string(mismatch.path), "reason": .string(mismatch.reason)])
    }

    static func refused(_ reason: String) -> VarlinkError { today("Refused", ["reason": .string(reason)]) }

    static func notStored(_ reason: String) -> VarlinkError { today("NotStored", ["reason": .string(reason)]) }

    static func limitReached(_ reason: String) -> VarlinkError { today("LimitReached", ["reason": .string(reason)]) }

    static func contextError(_ member: String, _ parameters: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(Interfaces.extensionContextName).\(member)", parameters: parameters)
    }

    private static func today(_ member: String, _ parameters: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(Interfaces.todayName).\(member)", parameters: parameters)
    }

    /// The identifier that resembles a mistyped name. A name without dots is compared with the last labels, because
    /// people write `dsk` for `org.todayd.disk`.
    private static func nearest(to name: String, among widgets: [WidgetID]) -> String? {
        let isWhole = name.utf8.contains(UInt8(ascii: "."))
        let letters = Array(name.utf8)
        var candidates = widgets.compactMap { id -> (name: String, id: WidgetID, likeness: Int)? in
            let candidate = isWhole ? id.text : String(id.text.split(separator: ".").last ?? "")
            guard abs(candidate.utf8.count - letters.count) <= 3 else { return nil }
            return (candidate, id, likeness(of: Array(candidate.utf8), to: letters))
        }
        candidates.sort { $0.likeness > $1.likeness }
        candidates.removeSubrange(min(comparisons, candidates.count)...)
        guard let found = nearestName(to: name, among: candidates.map(\.name)) else { return nil }
        return candidates.first { $0.name == found }?.id.text
    }

    /// How many letters are equal from the start and from the end; a typing error lies between them.
    private static func likeness(of left: [UInt8], to right: [UInt8]) -> Int {
        let length = min(left.count, right.count)
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        return min(start + end, length)
    }
}

extension QueryService {
    /// - Parameter widget: the widget whose extension context was used, if one was.
    func error(for refusal: Refusal, of widget: WidgetID? = nil) -> VarlinkError {
        if widget != nil { return contextError(for: refusal) }
        return switch refusal {
        case .noSuchWidget(let id): .noSuchWidget(id.text, among: backend.widgets())
        case .refused(let reason): .refused(reason)
        case .notStored(let reason): .notStored(reason)
        }
    }
}

extension QueryService {
    private func contextError(for refusal: Refusal) -> VarlinkError {
        switch refusal {
        case .noSuchWidget(let id): .contextError("Refused", ["reason": "the manifest of \(id) has gone"])
        case .refused(let reason): .contextError("Refused", ["reason": .string(reason)])
        case .notStored(let reason): .contextError("NotStored", ["reason": .string(reason)])
        }
    }
}

extension Interfaces {
    static let todayName = "org.todayd.Today"
    static let extensionContextName = "org.todayd.ExtensionContext"
}

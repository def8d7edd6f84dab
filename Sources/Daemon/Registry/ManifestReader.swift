// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Reads a manifest from the assignments in a `.widget` file and its drop-ins. It opens no file; `uid` looks up users.
/// `ManifestKey.all` lists the keys.
package struct ManifestReader: Sendable {
    /// The names of the keys, by section.
    static let keys = Dictionary(grouping: ManifestKey.all, by: \.section).mapValues { $0.map(\.name) }
    static let sections = Set(keys.keys).union(ManifestKey.free.keys)

    var locale: MessageLocale
    var settings: Settings
    package let specifiers: Specifiers
    let uid: @Sendable (_ name: String) -> UInt32?

    package init(
        locale: MessageLocale = MessageLocale("C"), settings: Settings = Settings(),
        specifiers: Specifiers = Specifiers(), uid: @escaping @Sendable (_ name: String) -> UInt32?
    ) {
        (self.locale, self.settings, self.specifiers, self.uid) = (locale, settings, specifiers, uid)
    }

    struct Reading {
        /// What could be read, valid or not: for people, not to be run.
        var described: Manifest
        var complaints: [Complaint]
        /// Nil if a complaint is an error.
        var manifest: Manifest? { complaints.contains { $0.severity == .error } ? nil : described }
        /// The place of ExecStart=, for complaints about the program.
        var command: ManifestDraft.Place?
    }

    /// - Parameters:
    ///   - files: the manifest and then its drop-ins. A later value replaces an earlier one; a list grows until `Key=` empties
    ///     it.
    ///   - base: the manifest that the files change, if it is not a file.
    ///   - directory: what `./` in ExecStart= means.
    func read(
        _ id: WidgetID, _ files: [UnitFile], changing base: Manifest? = nil, directory: @escaping () -> String
    ) -> Reading {
        var draft = base.map { ManifestDraft(changing: $0) } ?? ManifestDraft(id: id, settings: settings)
        var complaints: [Complaint] = []
        for file in files {
            complaints += file.complaints
            for assignment in file.assignments {
                do throws(WrongValue) {
                    if assignment.key.hasPrefix("X-") { continue }  // for other programs
                    if assignment.section != "Fleet" {
                        draft.hash.combine("[\(assignment.section)] \(assignment.key)=\(assignment.value)\n".utf8)
                    }
                    guard let key = ManifestKey.of(assignment) else {
                        complaints.append(unknown(assignment, file.path))
                        continue
                    }
                    let value = ManifestKey.Value(
                        key: assignment.key, text: id.expanded(assignment.value), locale: assignment.locale,
                        reader: self,
                        directory: directory)
                    try key.read(value, &draft)
                    let place = ManifestDraft.Place(of: assignment, in: file)
                    if key.isFree {
                        draft.settingPlaces[assignment.key] = place
                    } else {
                        draft.places[key.name] = place
                    }
                } catch {
                    let reason = "\(assignment.key)=: \(error.reason)"
                    complaints.append(.error(file.path, assignment.line, reason, column: assignment.valueColumn))
                }
            }
        }
        let source = files.first?.path ?? id.text
        if let missing = draft.missingKey, !complaints.contains(where: { $0.severity == .error }) {
            complaints.append(.error(source, nil, missing))
        }
        if let (reason, place) = draft.streamConflict {
            complaints.append(.error(place.file, place.line, "Stream=: \(reason)"))
        }
        if let (reason, place) = draft.fleetConflict {
            complaints.append(.error(place.file, place.line, "Scope=: \(reason)"))
        }
        for (key, reason, place) in draft.idleKeys {
            complaints.append(.warning(place.file, place.line, "\(key)= has no effect \(reason)"))
        }
        return Reading(described: draft.finished, complaints: complaints, command: draft.places["ExecStart"])
    }

    private func unknown(_ assignment: UnitFile.Assignment, _ path: String) -> Complaint {
        let (key, column) = (assignment.key, assignment.column)
        let isKnown =
            Self.keys[assignment.section]?.contains(key) == true || ManifestKey.free[assignment.section] != nil
        if let locale = assignment.locale, isKnown {
            return .warning(path, assignment.line, "\(key)[\(locale)]=: \(key)= is not localized", column: column)
        }
        if let section = Self.keys.first(where: { $0.value.contains(key) })?.key, section != assignment.section {
            return .warning(path, assignment.line, "\(key)= belongs into [\(section)]", column: column)
        }
        let known = Self.keys[assignment.section] ?? []
        var hint = hint(for: key, among: known) { $0 + "=" }
        if hint.isEmpty, let own = ManifestKey.elsewhere[key.lowercased()] {
            let place = known.contains(own.name) ? "" : " in [\(own.section)]"
            hint = "; did you mean \(own.name)=\(place)?"
        }
        return .warning(
            path, assignment.line, "unknown key \(key)= in [\(assignment.section)]\(hint)", column: column)
    }
}

extension WidgetID {
    /// A value of a template, with the name of the instance in place of `%i`. The name consists of letters, digits, `_` and
    /// `-`, which need no escaping in any value.
    fileprivate func expanded(_ value: String) -> String {
        guard let instance, value.includes("%i") else { return value }
        return value.split(at: "%%").map { $0.replacing("%i", by: instance) }.joined(separator: "%%")
    }
}

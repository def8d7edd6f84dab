// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The daemon's own settings: `[Daemon]` of todayd.conf.
package struct Settings: Hashable, Sendable {
    /// How many runs may be in progress at once; nil leaves it to the machine.
    package var concurrencyMax: Int?
    package var defaultTimeout = UpdatePlan.defaultTimeout
    package var defaultMemoryMax: ByteSize?
    package var defaultOutputMax = RunLimits.defaultOutput
    /// Its members may change everything in the system instance.
    package var administratorsGroup = "sudo"
    package var enableNewWidgets = true
    /// The room that widgets are offered.
    package var sizes = DisplaySizes.standard

    package init() {}

    /// As many as there are processors, so that runs which compute do not slow each other down; but at least four,
    /// because most only wait for the network, and a few that hang until their time-out must not hold up the rest.
    package func concurrency(processors: Int) -> Int {
        concurrencyMax ?? max(4, processors)
    }

    static let keys = [
        "ConcurrencyMax", "DefaultTimeout", "DefaultMemoryMax", "DefaultOutputMax", "AdministratorsGroup",
        "EnableNewWidgets", "Columns", "CompactRows", "ExpandedRows",
    ]
    static let sections: Set<String> = ["Daemon"]

    /// Reads todayd.conf and its drop-ins, in this order. A wrong value is complained about and changes nothing: the
    /// daemon starts, whatever stands there.
    static func read(_ files: [UnitFile]) -> (settings: Settings, complaints: [Complaint]) {
        var settings = Settings()
        var complaints: [Complaint] = []
        var expanded: (file: String, line: Int)?
        for file in files {
            complaints += file.complaints
            for assignment in file.assignments where !assignment.key.hasPrefix("X-") {
                do throws(WrongValue) {
                    let isKnown = try settings.take(assignment)
                    if isKnown, assignment.key == "ExpandedRows" { expanded = (file.path, assignment.line) }
                    guard !isKnown else { continue }
                    let hint = nearestName(to: assignment.key, among: keys).map { "; did you mean \($0)=?" }
                    complaints.append(
                        .warning(file.path, assignment.line, "unknown key \(assignment.key)=\(hint ?? "")"))
                } catch {
                    complaints.append(.error(file.path, assignment.line, "\(assignment.key)=: \(error.reason)"))
                }
            }
        }
        let sizes = settings.sizes
        if let expanded, sizes.expandedRows < sizes.compactRows {
            let reason = "\(sizes.expandedRows) is less than CompactRows=\(sizes.compactRows), which counts for both"
            complaints.append(.warning(expanded.file, expanded.line, "ExpandedRows=: \(reason)"))
        }
        settings.sizes.expandedRows = sizes[.expanded].rows
        return (settings, complaints)
    }

    private mutating func take(_ assignment: UnitFile.Assignment) throws(WrongValue) -> Bool {
        if assignment.locale != nil, Self.keys.contains(assignment.key) { throw WrongValue("it has no translations") }
        let value = assignment.value
        let initial = Settings()
        switch assignment.key {
        case "ConcurrencyMax":
            concurrencyMax = value.isEmpty ? nil : try Values.count(value, in: 1...1_000)
        case "DefaultTimeout":
            defaultTimeout =
                value.isEmpty ? initial.defaultTimeout : try Values.time(value, atLeast: .milliseconds(1))
        case "DefaultMemoryMax":
            defaultMemoryMax = value.isEmpty ? nil : try Values.size(value)
        case "DefaultOutputMax":
            defaultOutputMax = value.isEmpty ? initial.defaultOutputMax : try Values.outputSize(value)
        case "AdministratorsGroup":
            // Empty: root alone.
            administratorsGroup = try Values.line(value)
        case "EnableNewWidgets":
            enableNewWidgets = value.isEmpty ? initial.enableNewWidgets : try Values.boolean(value)
        case "Columns":
            sizes.columns =
                value.isEmpty ? initial.sizes.columns : try Values.count(value, in: DisplaySizes.columnRange)
        case "CompactRows":
            sizes.compactRows =
                value.isEmpty ? initial.sizes.compactRows : try Values.count(value, in: DisplaySizes.rowRange)
        case "ExpandedRows":
            sizes.expandedRows =
                value.isEmpty ? initial.sizes.expandedRows : try Values.count(value, in: DisplaySizes.rowRange)
        default:
            return false
        }
        return true
    }
}

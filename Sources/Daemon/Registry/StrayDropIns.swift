// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// Complains about directories of drop-ins whose widget does not exist: mostly its name is misspelt.
enum StrayDropIns {
    /// Each needs a search among all widgets.
    private static let most = 20

    /// - Parameters:
    ///   - directories: all directories of drop-ins.
    ///   - widgets: those that exist.
    static func complaints(
        about directories: Set<String>, widgets: [WidgetID: Registry.Entry], _ path: SearchPath
    ) -> [Complaint] {
        let strays = directories.filter { directory in
            guard let id = Survey.id(of: Paths.name(of: directory), suffix: Survey.dropInSuffix) else { return true }
            return widgets[id] == nil && !isOptional(id, path)
        }
        return strays.sorted().prefix(most).map { complaint(about: $0, widgets.keys) }
    }

    private static func complaint(about directory: String, _ widgets: some Collection<WidgetID>) -> Complaint {
        let name = String(Paths.name(of: directory).dropLast(Survey.dropInSuffix.count))
        let hint =
            WidgetID.nearest(to: name, among: widgets).map { "did you mean \($0)\(Survey.dropInSuffix)?" }
            ?? "rename it, or remove it"
        return .warning(directory, nil, "changes no widget: there is no \(name); \(hint)")
    }

    /// Whether the widget may be switched on at any time: its manifest is installed in `optional`.
    private static func isOptional(_ id: WidgetID, _ path: SearchPath) -> Bool {
        path.bases.contains { Paths.exists("\($0)/optional/\(id)\(Survey.suffix)") }
    }
}

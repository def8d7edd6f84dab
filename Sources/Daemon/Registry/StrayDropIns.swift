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
    ///   - offers: what may be added at any time, which their administrator may have changed before.
    static func complaints(
        about directories: Set<String>, widgets: [WidgetID: Registry.Entry], _ offers: Offers
    ) -> [Complaint] {
        let strays = directories.filter { directory in
            let id = Survey.id(of: Paths.name(of: directory), suffix: Survey.dropInSuffix)
            return id.flatMap { widgets[$0] } == nil && !offers.concerns(dropIns: directory)
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
}

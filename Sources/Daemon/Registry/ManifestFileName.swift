// SPDX-License-Identifier: MIT
import TodayModel

/// The name of a file that should have been a manifest's, and is no identifier with the suffix behind it.
enum ManifestFileName {
    /// Where no letter of the name can be kept.
    private static let example = "org.example.name"

    /// The cure comes first: a path and a reason may be too long for one line.
    static func complaint(about path: String, named name: String) -> Complaint {
        .warning(
            path, nil,
            "the name is no identifier; rename the file to \(suggestion(for: name)): a name has two or more labels of "
                + "A-Z a-z 0-9 _ -, joined by dots")
    }

    /// A name that works, and that the author knows again.
    static func suggestion(for name: String) -> String {
        let stem = name.hasSuffix(Survey.suffix) ? name.dropLast(Survey.suffix.count) : name[...]
        let labels = stem.split(separator: ".").map(PluginName.label).filter { !$0.isEmpty }
        let whole = labels.count > 1 ? labels : ["org", "example"] + labels
        let id = labels.isEmpty ? nil : WidgetID(whole.joined(separator: "."))
        return (id?.text ?? example) + Survey.suffix
    }
}

// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// The widgets that can be added: templates, whose instances are widgets, and manifests that count only once they are added.
/// Both are in `optional`; a template may also be beside the manifests.
package struct Offers {
    /// How the name of a template ends.
    package static let templateSuffix = "@" + Survey.suffix
    /// A list of all reads each of them.
    static let most = 256

    /// The manifest of each, in the strongest directory. A template has the identifier of its instances, without the `@`.
    private(set) var templates: [WidgetID: String] = [:]
    private(set) var manifests: [WidgetID: String] = [:]

    /// Notes a file, unless one of its name is in a stronger directory.
    ///
    /// - Returns: whether it is something to add.
    mutating func note(_ name: String, in directory: String) -> Bool {
        if let id = Survey.id(of: name, suffix: Self.templateSuffix), id.instance == nil {
            if templates[id] == nil { templates[id] = "\(directory)/\(name)" }
            return true
        }
        guard Paths.name(of: directory) == Self.directoryName, let id = Survey.id(of: name, suffix: Survey.suffix)
        else {
            return false
        }
        if manifests[id] == nil { manifests[id] = "\(directory)/\(name)" }
        return true
    }

    private static let directoryName = "optional"
    static func directories(_ path: SearchPath) -> [String] { path.bases.map { "\($0)/\(directoryName)" } }

    /// The file that declares a widget which the user has added. If that file is gone, the path where it should be.
    func manifest(of id: WidgetID, in path: SearchPath) -> String {
        let (known, name) =
            id.template.map { (templates[$0], "\($0)\(Self.templateSuffix)") } ?? (
                manifests[id], "\(id)\(Survey.suffix)"
            )
        return known ?? "\(Self.directories(path).last ?? "")/\(name)"
    }

    /// The directories of drop-ins of an instance's template.
    static func dropInDirectories(of id: WidgetID, in directories: [String]) -> [String] {
        guard let template = id.template else { return [] }
        return directories.map { "\($0)/\(template)@\(WidgetID.dropInSuffix)" }
    }

    /// Whether drop-ins of this directory can change what may be added.
    func concerns(dropIns directory: String) -> Bool {
        let name = Paths.name(of: directory)
        if let id = Survey.id(of: name, suffix: "@" + WidgetID.dropInSuffix) { return templates[id] != nil }
        return Survey.id(of: name, suffix: WidgetID.dropInSuffix).map { manifests[$0] != nil } ?? false
    }
}

extension Registry {
    /// Something that the user may add.
    package struct Offer {
        /// Of a template without its `@`.
        package let id: WidgetID
        package let isTemplate: Bool
        package let entry: Entry
    }
}

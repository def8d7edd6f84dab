// SPDX-License-Identifier: MIT
import JSON

/// The daemon's complaints beyond single widgets, `file:line: reason`: what is said of files that were meant as manifests.
struct ManifestComplaints {
    private static let suffix = ".widget"

    private let complaints: [String]

    /// - Parameter status: a reply to Status.
    init(_ status: JSONObject) {
        complaints = (status["daemon"]?["complaints"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    /// Those about files which would be in the list of widgets under another name.
    var ofWidgets: [String] { complaints.filter { Self.fileName(in: $0).hasSuffix(Self.suffix) } }

    /// Those about the file of that name, with or without its suffix.
    func about(_ word: String) -> [String] {
        complaints.filter { complaint in
            let name = Self.fileName(in: complaint)
            return name == word || name == word + Self.suffix
        }
    }

    /// What stands between the last slash of the path and the colon that ends it.
    private static func fileName(in complaint: String) -> Substring {
        // The path ends with the first colon in front of a blank, and before that a line may be named.
        var path = complaint[...]
        var rest = complaint[...]
        while let colon = rest.firstIndex(of: ":") {
            let next = rest.index(after: colon)
            if next == rest.endIndex || rest[next] == " " {
                path = complaint[..<colon]
                break
            }
            rest = rest[next...]
        }
        if let colon = path.lastIndex(of: ":"), path[colon...].dropFirst().allSatisfy(\.isNumber) {
            path = path[..<colon]
        }
        return path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    }
}

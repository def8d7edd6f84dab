// SPDX-License-Identifier: MIT

/// What widgets may be called: the end of an identifier is enough where it means one widget only.
struct ShortNames {
    private let ids: [String]
    /// How many widgets each ending fits.
    private let counts: [Substring: Int]

    init(_ ids: [String]) {
        self.ids = ids
        counts = ids.reduce(into: [:]) { counts, id in
            for ending in Self.endings(of: id) { counts[ending, default: 0] += 1 }
        }
    }

    /// The short names that go on like `word`. Where none does, a longer name may: the whole identifier at last.
    /// - Parameter offered: the identifiers of those which are wanted; nil stands for all.
    func completions(of word: String, among offered: Set<String>? = nil) -> [String] {
        let names = ids.filter { offered?.contains($0) ?? true }.map { id in
            Self.endings(of: id).filter { counts[$0] == 1 || $0.count == id.count }
        }
        let short = names.compactMap(\.first).filter { $0.hasPrefix(word) }
        let fitting = short.isEmpty ? names.compactMap { $0.first { $0.hasPrefix(word) } } : short
        return fitting.map(String.init)
    }

    /// The last label, the last two, and so on up to the whole identifier.
    private static func endings(of id: String) -> [Substring] {
        id.indices.reversed().filter { $0 == id.startIndex || id[id.index(before: $0)] == "." }.map { id[$0...] }
    }
}

// SPDX-License-Identifier: MIT

/// The last good content of a widget, and when it was taken.
package struct Snapshot: Hashable, Sendable {
    package var content: Content
    package var taken: WallTime
    /// When a later run last found that it still holds (`noData`); the time it was taken where none has yet.
    package var confirmed: WallTime
    /// Set for pushed content with a time to live: from then on it counts no more.
    package var expires: WallTime?

    package init(content: Content, taken: WallTime, confirmed: WallTime? = nil, expires: WallTime? = nil) {
        self.content = content
        self.taken = taken
        self.confirmed = confirmed ?? taken
        self.expires = expires
    }
}

// SPDX-License-Identifier: MIT

/// What is remembered of a widget besides its content, over the end of its process and of the daemon.
package struct WidgetMemory: Hashable, Sendable {
    /// The largest display mode that it has chosen for itself; nil leaves that to its manifest.
    package var largestMode: DisplayMode?
    /// What its last successful update was made from.
    package var seen: Premises?

    package init(largestMode: DisplayMode? = nil, seen: Premises? = nil) {
        self.largestMode = largestMode
        self.seen = seen
    }
}

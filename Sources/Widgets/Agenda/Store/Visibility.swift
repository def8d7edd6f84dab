// SPDX-License-Identifier: MIT

/// Hides the widget while nothing is to be done, without ever hiding it from something that is.
package enum Visibility {
    /// What is to be done, after the has-content flag says so: false where there is nothing.
    ///
    /// App and widget are two programs. Between the widget's look into the agenda and its "false" the app may have added an
    /// item and said "true"; that would be lost, and the widget not launched to find out. So it looks once more after its
    /// "false". An item that is added later than that look is followed by the app's own "true".
    package static func settle(
        open: () throws -> [AgendaItem], setHasContent: (Bool) throws -> Void
    ) throws -> [AgendaItem] {
        let items = try open()
        guard items.isEmpty else { return items }
        try setHasContent(false)
        let added = try open()
        if !added.isEmpty { try setHasContent(true) }
        return added
    }
}

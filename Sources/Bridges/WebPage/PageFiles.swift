// SPDX-License-Identifier: MIT

import Rendering

/// The files of the page beside its document, which today-page has in it. Their sources are in `Page`.
package enum PageFiles {
    /// The style of the cards, and that of what is around them.
    package static let style = Array(HTMLPage.style.utf8) + PackageResources.page_css
    package static let script = PackageResources.page_js
    /// A card with three lines.
    package static let icon = PackageResources.icon_svg
}

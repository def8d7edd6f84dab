// SPDX-License-Identifier: MIT

/// The interfaces of org.todayd. Their texts are the files in `Interfaces`, byte for byte what GetInterfaceDescription
/// returns.
package enum Interfaces {
    /// How many widgets a client may name in one call of `Show`. The feeds of other clients wait for each of them.
    package static let mostNamedWidgets = 100

    /// The heartbeats that a client may ask `Show` for, in seconds.
    package static let heartbeats = 1...3_600

    package static let today = String(decoding: PackageResources.org_todayd_Today_varlink, as: UTF8.self)
    package static let widget = String(decoding: PackageResources.org_todayd_Widget_varlink, as: UTF8.self)
    package static let extensionContext = String(
        decoding: PackageResources.org_todayd_ExtensionContext_varlink, as: UTF8.self)
}

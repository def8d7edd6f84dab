// SPDX-License-Identifier: MIT

/// What a widget shows, or a part of it: a value that says what to draw, not how. Every host draws it by its own means.
///
/// A view of your own is a structure with a `body` of other views:
///
///     struct Price: View {
///         let amount: String
///         var body: some View { Text(amount).font(.title).foregroundColor(.accent) }
///     }
public protocol View {
    /// The type of the body; the compiler finds it by itself.
    associatedtype Body: View

    /// The views that this one is made of.
    @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View {
    /// There is none: views that hosts draw themselves have no body.
    public var body: Never { return fatalError("a view that hosts draw themselves has no body") }
}

/// Shows nothing.
public struct EmptyView: View {
    /// Makes a view that shows nothing.
    public init() {}
}

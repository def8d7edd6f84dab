// SPDX-License-Identifier: MIT
import TodayModel

extension View {
    /// The texts of a view and of the views in it, in their order.
    package var texts: [String] {
        if case .text(let text) = self { return [text.text] }
        return children.flatMap(\.texts)
    }

    /// The colours of the texts that have one.
    package var colors: [Color] {
        if case .text(let text) = self { return text.color.map { [$0] } ?? [] }
        return children.flatMap(\.colors)
    }

    package var buttons: [View.Button] {
        if case .button(let button) = self { return [button] }
        return children.flatMap(\.buttons)
    }

    package var charts: [View.Chart] {
        if case .chart(let chart) = self { return [chart] }
        return children.flatMap(\.charts)
    }
}

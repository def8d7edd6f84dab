// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// A form in which widgets are written for people, bars, browsers and monitors, by the name that users type.
package enum OutputForm: String, CaseIterable, Sendable {
    case terminal, plain, json, html, svg, waybar, i3bar, i3blocks, polybar, tmux, genmon, yambar, prometheus, nagios

    /// The whole output, with a line feed at the end of each line.
    package func text(of shown: Shown, _ presentation: Presentation) -> String {
        let items = shown.items
        let program = presentation.forPrograms
        var segments: [BarSegment] { items.map { BarSegment($0, program) } }
        return switch self {
        case .terminal: shown.page(presentation).text(presentation.colors)
        case .plain: shown.page(presentation).text(.none)
        case .json: JSONForm.printable(shown.json()) + "\n"
        case .html: HTMLPage(items, now: program.now).html
        case .svg: SVGImage(items, program).svg
        case .waybar: segments.map { JSONForm.printable($0.waybar.text) + "\n" }.joined()
        case .i3bar: JSONForm.printable(I3BarForm.statusLine(segments).text) + "\n"
        case .i3blocks: I3BlocksForm.text(segments)
        case .polybar: PolybarForm.text(segments)
        case .tmux: TmuxForm.text(segments)
        case .genmon: GenmonForm.text(segments)
        case .yambar: YambarForm.text(segments)
        case .prometheus: PrometheusForm.text(items, now: program.now)
        case .nagios: NagiosForm(items, program).text
        }
    }

    /// The exit status that tells a program which reads this form how urgent it is.
    package func exitStatus(of shown: Shown, _ presentation: Presentation) -> Int32 {
        switch self {
        case .nagios: NagiosForm(shown.items, presentation).status.rawValue
        case .i3blocks: shown.items.contains { I3BlocksForm.isUrgent($0) } ? I3BlocksForm.urgentStatus : 0
        case .terminal, .plain, .json, .html, .svg, .waybar, .i3bar, .polybar, .tmux, .genmon, .yambar, .prometheus: 0
        }
    }

    /// The report of an error, for forms whose readers learn of errors from the output and the exit status. Other readers look
    /// at standard error.
    package func report(of error: String) -> (text: String, status: Int32)? {
        guard self == .nagios else { return nil }
        return (NagiosForm.unknown(error), NagiosForm.Status.unknown.rawValue)
    }
}

/// The input of a form.
package struct Shown {
    let items: [Item]
    private let extras: TodayPage.Extras
    /// The document of the protocol.
    let json: () -> String

    /// - Parameters:
    ///   - extras: what the Today view adds to the cards, for people.
    ///   - json: the document of the protocol that the items are from, which only one form needs.
    package init(
        _ items: [Item], extras: TodayPage.Extras = TodayPage.Extras(), json: @autoclosure @escaping () -> String
    ) {
        self.items = items
        self.extras = extras
        self.json = json
    }

    func page(_ presentation: Presentation) -> [StyledLine] {
        TodayPage(items, presentation, extras).lines
    }
}

extension [StyledLine] {
    func text(_ colors: ColorDepth) -> String {
        reduce(into: "") { $0 += $1.text(colors) + "\n" }
    }
}

extension Presentation {
    /// For programs: UTF-8 whatever the locale is, and no escape sequences.
    package var forPrograms: Presentation {
        var presentation = self
        (presentation.charset, presentation.colors) = (.unicode, .none)
        return presentation
    }
}

/// JSON as it is written, in a form that terminals can show.
package enum JSONForm {
    /// Escapes the characters that terminals interpret. In JSON, `\u` and four digits mean the same character (RFC 8259).
    package static func printable(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7f }) else { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            // White space between values may be a line feed.
            guard scalar.isDisplayControl || scalar.isSeparator, scalar.value >= 0x7f else {
                result.append(scalar)
                continue
            }
            result.append(contentsOf: "\\u\(scalar.value.digits(4, radix: 16))".unicodeScalars)
        }
        return String(result)
    }
}

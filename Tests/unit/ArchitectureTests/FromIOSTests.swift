// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Compares docs/from-ios.md with the declarations in Sources/Kit.
@Suite struct FromIOSTests {
    /// Words in the right column that belong to Swift, other libraries or an author's code.
    private static let others: Set<String> = [
        "try", "await", "async", "throws", "final", "class", "for", "if", "main", "abs", "new", "old", "url",
        "BTC", "CurrencyController", "UserDefaults", "embedInCode", "true",
        // A method of the socket, and an extension point.
        "SetEditing", "today",
    ]

    /// All members of NotificationCenter.framework, and those of NSExtensionContext for Today widgets.
    private static let members = [
        "widgetPerformUpdate(completionHandler:)", "widgetActiveDisplayModeDidChange(_:withMaximumSize:)",
        "widgetMarginInsets(forProposedMarginInsets:)", "widgetAllowsEditing", "widgetDidBeginEditing()",
        "widgetDidEndEditing()", "NCUpdateResult", ".newData", ".noData", ".failed", "NCWidgetDisplayMode", ".compact",
        ".expanded", "setHasContent(_:forWidgetWithBundleIdentifier:)", "NCWidgetController()", "widgetController()",
        "default()", "NCWidgetListViewController", "NCWidgetSearchViewController", "widgetLargestAvailableDisplayMode",
        "widgetActiveDisplayMode", "widgetMaximumSize(for:)", "open(_:completionHandler:)", "inputItems",
        "completeRequest(returningItems:completionHandler:)", "cancelRequest(withError:)", "mediaPlayingStarted()",
        "NSExtensionItemsAndErrorsKey", "mediaPlayingPaused()", "notificationActions",
        "performNotificationDefaultAction()",
        "dismissNotificationContentExtension()", "NSExtensionHostWillEnterForeground",
        "NSExtensionHostDidEnterBackground", "NSExtensionHostWillResignActive", "NSExtensionHostDidBecomeActive",
        "widgetPrimary()", "widgetSecondary()", "widgetEffect(forVibrancyStyle:)", "notificationCenter()",
        "presentViewControllerInWidget(_:)", "dismissViewController(_:)", "NCWidgetProvidingPresentationStyles",
    ]

    /// Names in articles on Today widgets. A name may be a part of a longer span.
    private static let inArticles = [
        "NCWidgetProviding", "NCWidgetController", "NSExtensionContext", "widgetPerformUpdate", "NCUpdateResult",
        "widgetActiveDisplayModeDidChange", "widgetLargestAvailableDisplayMode", "widgetMarginInsets",
        "widgetMaximumSize", "preferredContentSize", "viewDidLoad", "viewDidAppear", "viewWillTransition",
        "setHasContent", "openURL", "open", "widgetAllowsEditing", "widgetDidBeginEditing", "widgetDidEndEditing",
        "presentViewControllerInWidget", "dismissViewController", "NCWidgetProvidingPresentationStyles",
        "notificationCenterVibrancyEffect", "animateAlongsideTransition", "NSExtensionPointIdentifier",
        "NSExtensionPrincipalClass", "NSExtensionMainStoryboard", "CFBundleDisplayName", "UserDefaults",
        "containerURL", "NSPersistentContainer", "CGSize",
        "NSExtension", "UITapGestureRecognizer", "UIProgressView", "UIScrollView",
    ]

    @Test func everyMemberHasARow() throws {
        let named = Set(try Self.rows().flatMap { Self.spans($0.there) })
        for member in Self.members where !named.contains(member) {
            Issue.record("\(member) is not in the left column of docs/from-ios.md")
        }
    }

    @Test func everyNameInArticlesHasARow() throws {
        let named = Set(try Self.rows().flatMap { Self.spans($0.there) }.flatMap { Self.words(of: $0) })
        for name in Self.inArticles where !named.contains(name) {
            Issue.record("\(name) is not in the left column of docs/from-ios.md")
        }
    }

    @Test func theRightColumnNamesDeclarations() throws {
        let declared = try Tree.swiftFiles(below: "Sources/Kit").reduce(into: Set<String>()) { names, file in
            names.formUnion(Self.publicNames(in: try Tree.text(of: file)))
        }
        #expect(declared.isSuperset(of: ["widgetPerformUpdate", "suiteName", "newData", "TodayWidget", "send"]))
        #expect(declared.isDisjoint(with: ["marginInsets", "DaemonService", "lower", "widgetPerformUpdates"]))
        for row in try Self.rows() {
            // A row with "the same" has the name only in the left column.
            let spans = Self.spans(row.here) + (row.here.hasPrefix("the same") ? Self.spans(row.there) : [])
            for span in spans where Self.isSwift(span) {
                for word in Self.words(of: span) where !declared.contains(word) && !Self.others.contains(word) {
                    Issue.record("docs/from-ios.md:\(row.line): \(word) is not declared in Sources/Kit")
                }
            }
        }
    }

    @Test func namedFilesExist() throws {
        for row in try Self.rows() {
            for path in Self.spans(row.here) where path.hasPrefix("Sources/") {
                #expect(access("\(Tree.root)/\(path)", F_OK) == 0, "docs/from-ios.md:\(row.line)")
            }
        }
    }

    /// Each row of the table of facts names tests or scripts.
    @Test func namedTestsExist() throws {
        let lines = try Tree.text(of: "docs/from-ios.md").split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "| fact | shown by |"))
        let facts = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(facts.count > 40)
        var declared: Set<String> = []
        for file in try Tree.swiftFiles(below: "Tests") {
            let words = try Tree.text(of: file).split { !$0.isLetter && !$0.isNumber && $0 != "@" }
            let suite = zip(words, words.dropFirst()).first { $0 == "struct" && $1.hasSuffix("Tests") }?.1
            for (word, name) in zip(words, words.dropFirst()) where word == "func" {
                declared.insert("\(suite ?? "").\(name)")
            }
        }
        for fact in facts {
            let tests = Self.spans(fact.split(separator: "|").last.map(String.init) ?? "")
            #expect(!tests.isEmpty, "\(fact)")
            for test in tests where !declared.contains(test) && access("\(Tree.root)/\(test)", F_OK) != 0 {
                Issue.record("docs/from-ios.md names the test \(test), which is not there")
            }
        }
    }

    // MARK: The tables

    private struct Row {
        let line: Int
        let there: String
        let here: String
    }

    /// The rows of the tables with the second column `here`.
    private static func rows() throws -> [Row] {
        let lines = try Tree.text(of: "docs/from-ios.md").split(separator: "\n", omittingEmptySubsequences: false)
        var isTable = false
        var rows: [Row] = []
        for (index, line) in lines.enumerated() {
            let cells = line.split(separator: "|").map { String($0.drop { $0 == " " }) }
            guard line.hasPrefix("|"), cells.count == 2 else {
                isTable = false
                continue
            }
            if cells[1].hasPrefix("here") {
                isTable = true
            } else if isTable, !cells[0].hasPrefix("---") {
                rows.append(Row(line: index + 1, there: cells[0], here: cells[1]))
            }
        }
        try #require(rows.count > 50)
        return rows
    }

    /// The texts between backticks.
    private static func spans(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Whether the span is Swift, and no key of the manifest (`Timeout=`), path, command, option or output.
    private static func isSwift(_ span: String) -> Bool {
        let word = span.prefix { $0.isLetter }
        if span.dropFirst(word.count).hasPrefix("="), word.first?.isUppercase == true { return false }
        let programs: Set<Substring> = ["todayctl", "crypticker", "org"]
        return !span.contains("/") && !span.hasPrefix("--") && !programs.contains(word)
            && span.contains { $0.isLetter }
    }

    /// The names in a piece of Swift, without text between quotation marks.
    private static func words(of span: String) -> [String] {
        let code = span.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
        return code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            .filter { $0.first?.isLetter == true }
    }

    // MARK: The declarations

    private static let keywords: Set<String> = [
        "func", "var", "let", "case", "struct", "class", "enum", "protocol", "typealias", "init",
    ]

    /// The names that an author can use: public declarations and members of public protocols and enumerations, with labels.
    private static func publicNames(in text: String) -> Set<String> {
        var names: Set<String> = []
        var isMember = false
        var isSignature = false
        for line in text.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            if line == "}" { isMember = false }
            let words = words(of: String(code))
            let keyword = words.first(where: keywords.contains)
            if keyword != nil {
                isSignature = code.hasPrefix("public") || isMember && !code.contains("private")
            }
            if isSignature {
                // The labels are before a colon, with the parameter's own name.
                names.formUnion(keyword == "case" ? words : Array(words.drop { $0 != keyword }.dropFirst().prefix(1)))
                for part in code.split(separator: ":").dropLast() {
                    names.formUnion(Self.words(of: String(part)).suffix(2))
                }
            }
            if keyword == "init", isSignature { names.insert("init") }
            if code.hasSuffix("{") || code.hasSuffix("}") { isSignature = false }
            if line.hasPrefix("public protocol") || line.hasPrefix("public enum") { isMember = true }
        }
        return names
    }
}

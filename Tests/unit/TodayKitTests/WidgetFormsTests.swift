// SPDX-License-Identifier: MIT
import Platform
import Testing
import TodayModel

@testable import TodayKit

/// The forms that a widget may have: a structure, a subclass, or a completion handler.
@MainActor @Suite(.serialized) struct WidgetFormsTests {
    /// A structure, which its methods change.
    struct Counter: TodayWidget {
        private var count = 0
        mutating func viewDidLoad() { count = 10 }
        mutating func widgetPerformUpdate() async -> NCUpdateResult {
            await Task.yield()
            count += 1
            return .newData
        }
        var body: some TodayKit.View { Text("\(count)") }
    }

    @Test func aStructureIsAWidgetToo() async {
        let host = WidgetHost<Counter>(WidgetRequest())
        _ = await host.perform(.performUpdate, WidgetRequest())
        #expect(await host.perform(.performUpdate, WidgetRequest()).content?.text == "12")
        #expect(await host.perform(.performAction("x"), WidgetRequest()) != .noData())
    }

    /// A class that an app and its widget share in a library.
    @MainActor class PriceController {
        var price = "--"
        func viewDidLoad() { price = "loaded" }
    }

    final class PriceWidget: PriceController, TodayWidget {
        func widgetPerformUpdate() async -> NCUpdateResult {
            price += ", updated"
            return .newData
        }
        var body: some TodayKit.View { Text(price) }
    }

    @Test func aWidgetMayInheritFromASharedClass() async {
        let host = WidgetHost<PriceWidget>(WidgetRequest())
        #expect(await host.perform(.performUpdate, WidgetRequest()).content?.text == "loaded, updated")
    }

    /// Calls its handler from another thread, and twice.
    final class Handler: NCWidgetCompletionProviding, TodayWidget {
        func widgetPerformUpdate(completionHandler: @escaping @Sendable (NCUpdateResult) -> Void) {
            try? BackgroundThread.start {
                completionHandler(.noData)
                completionHandler(.failed)
            }
        }
        var body: some TodayKit.View { Text("x") }
    }

    @Test func theFirstCallOfACompletionHandlerCounts() async {
        let host = WidgetHost<Handler>(WidgetRequest())
        for _ in 0..<50 { #expect(await host.perform(.performUpdate, WidgetRequest()) == .noData()) }
    }
}

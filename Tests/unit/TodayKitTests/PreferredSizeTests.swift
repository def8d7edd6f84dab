// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayKit

/// The size that a widget prefers, and the size that hosts offer it.
@MainActor @Suite(.serialized) struct PreferredSizeTests {
    static var inDidLoad: WidgetSize?
    static var insets = EdgeInsets(left: 2)
    static var byMode: [NCWidgetDisplayMode: WidgetSize] = [:]

    final class Sized: TodayWidget {
        func viewDidLoad() { if let size = inDidLoad { preferredContentSize = size } }
        func widgetActiveDisplayModeDidChange(_ mode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize) {
            if let size = byMode[mode] { preferredContentSize = size }
        }
        func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
            insets
        }
        func widgetPerformUpdate() async -> NCUpdateResult { .newData }
        var body: some TodayKit.View { Text("\(contentSize.columns)x\(contentSize.rows)") }
    }

    init() {
        Self.inDidLoad = nil
        Self.byMode = [:]
        Self.insets = EdgeInsets(left: 2)
    }

    @Test func marginsAreTakenFromTheContent() async throws {
        Self.insets = EdgeInsets(top: 1, left: 2, bottom: 2, right: 4)
        let content = try await content(host(), WidgetRequest(mode: .expanded))
        #expect(content.expanded == .text(.init("54x13")))
    }

    private func content(_ host: WidgetHost<Sized>, _ request: WidgetRequest) async throws -> Content {
        let outcome = await host.perform(.displayModeDidChange, request)
        return try #require(outcome.content)
    }

    private func host() -> WidgetHost<Sized> { WidgetHost<Sized>(WidgetRequest()) }

    @Test func withoutAPreferenceTheHeightIsThatOfTheBody() async throws {
        let content = try await content(host(), WidgetRequest(mode: .expanded))
        #expect(content.compactRows == nil && content.expandedRows == nil)
        #expect(content.expanded == .text(.init("58x16")))
    }

    @Test func aSizeSetInViewDidLoadIsForBothModes() async throws {
        Self.inDidLoad = WidgetSize(points: (0, 200))
        let content = try await content(host(), WidgetRequest())
        #expect(content.compactRows == 8)
        #expect(content.expandedRows == 8)
        #expect(content.compact == .text(.init("58x4")))
        #expect(content.expanded == .text(.init("58x8")))
    }

    @Test func eachModeHasASizeOfItsOwn() async throws {
        Self.byMode = [.compact: WidgetSize(columns: 0, rows: 2), .expanded: WidgetSize(columns: 30, rows: 6)]
        let host = host()
        let first = try await content(host, WidgetRequest())
        #expect(first.compactRows == 2 && first.expandedRows == nil)
        let second = try await content(host, WidgetRequest(mode: .expanded))
        #expect(second.compactRows == 2 && second.expandedRows == 6)
        #expect(second.compact == .text(.init("58x2")))
        #expect(second.expanded == .text(.init("28x6")))
    }

    @Test func aSideOfZeroHasNoPreference() async throws {
        Self.byMode = [.compact: WidgetSize(columns: 20, rows: 0)]
        let content = try await content(host(), WidgetRequest())
        #expect(content.compactRows == nil)
        #expect(content.compact == .text(.init("18x4")))
    }

    @Test func aPreferredHeightMayExceedTheMaximum() async throws {
        Self.byMode = [.compact: WidgetSize(columns: 1_000, rows: 1_000)]
        let content = try await content(host(), WidgetRequest())
        #expect(content.compactRows == 200)
        #expect(content.compact == .text(.init("58x4")))
    }

    static let points: [(Double, Double, WidgetSize)] = [
        (0, 200, WidgetSize(columns: 0, rows: 8)), (359, 110, WidgetSize(columns: 60, rows: 4)),
        (0, 440, WidgetSize(columns: 0, rows: 16)), (0, 44, WidgetSize(columns: 0, rows: 2)),
        (0, 142, WidgetSize(columns: 0, rows: 6)), (-1, .nan, WidgetSize(columns: 0, rows: 0)),
        (.infinity, 1, WidgetSize(columns: 10_000, rows: 1)),
    ]

    @Test func pointsBecomeColumnsAndRows() {
        for (width, height, size) in Self.points {
            #expect(WidgetSize(points: (width, height)) == size)
            #expect(WidgetSize(width: width, height: height) == size)
        }
        let compact = WidgetSize(columns: 60, rows: 4)
        #expect(compact.width == 360 && compact.height == 110)
    }

    // MARK: The offered size

    @Test func theDaemonsSizeReplacesOlderOnes() {
        var room = OfferedRoom()
        let daemon = WidgetSize(columns: 40, rows: 9)
        #expect(room.size(for: .expanded) { nil } == WidgetSize(columns: 60, rows: 16))
        room.note(WidgetSize(columns: 50, rows: 20), for: .expanded)
        room.note(WidgetSize(columns: 40, rows: 3), for: .compact)
        #expect(room.size(for: .compact) { WidgetSize(columns: 1, rows: 1) } == WidgetSize(columns: 40, rows: 3))
        #expect(room.size(for: .expanded) { daemon } == daemon)
        #expect(room.size(for: .expanded) { nil } == WidgetSize(columns: 50, rows: 20))
    }

    @Test func withoutADaemonTheOtherModeDecides() {
        var room = OfferedRoom()
        room.note(WidgetSize(columns: 30, rows: 20), for: .compact)
        #expect(room.size(for: .expanded) { nil } == WidgetSize(columns: 30, rows: 20))
        room = OfferedRoom()
        room.note(WidgetSize(columns: 30, rows: 2), for: .expanded)
        #expect(room.size(for: .compact) { nil } == WidgetSize(columns: 30, rows: 2))
    }
}

// SPDX-License-Identifier: MIT
import Testing
import TodayHTTP
import TodayKit

@testable import weather_widget

/// What the weather says of an answer of open-meteo.com.
@Suite struct ForecastTests {
    private static let place = Place(name: "Bern", latitude: 46.95, longitude: 7.45)
    /// 2026-11-26 08:00 UTC, a Thursday.
    private static let start = 1_795_680_000

    /// - Parameter codes: of the hours from the start on.
    private func forecast(_ codes: [Int], offset: Int = 3_600) throws -> Forecast {
        let hours = codes.indices.map { "\(Self.start + 3_600 * $0)" }.joined(separator: ",")
        let degrees = codes.indices.map { "\(Double($0) - 0.4)" }.joined(separator: ",")
        let text = """
            {"utc_offset_seconds": \(offset),
             "hourly": {"time": [\(hours)], "temperature_2m": [\(degrees)],
                        "weather_code": [\(codes.map { "\($0)" }.joined(separator: ","))], "is_day": [1]},
             "daily": {"time": [\(Self.start - 32_400), \(Self.start + 54_000)], "weather_code": [0, 95],
                       "temperature_2m_max": [14.4, -0.4], "temperature_2m_min": [5, null]}}
            """
        return try #require(Forecast(try JSONValue(parsing: text), Self.place))
    }

    private func hour(_ forecast: Forecast, _ index: Int = 0) -> Forecast.Hour { forecast.hours[index] }

    private static let words: [(codes: [Int], words: String)] = [
        ([0, 0, 0], "Clear"), ([2, 3, 61, 61], "Partly cloudy, rain from 11:00"), ([61, 80, 3], "Rain until 11:00"),
        ([61, 61, 61], "Rain"), ([3] + Array(repeating: 3, count: 13) + [61], "Cloudy"),
        ([0, 95], "Clear, thunderstorm from 10:00"),
        ([45, 71, 0], "Fog, snow from 10:00"), ([1_000], "Cloudy"),
    ]

    @Test(arguments: words.indices) func wordsSayWhenItChanges(index: Int) throws {
        let forecast = try forecast(Self.words[index].codes)
        #expect(forecast.words(for: hour(forecast)) == Self.words[index].words)
    }

    @Test func anHourLastsUntilTheNext() throws {
        let forecast = try forecast([0, 1, 2])
        func index(_ seconds: Int) -> Int? {
            let hour = forecast.hour(at: Timestamp(secondsSince1970: Self.start + seconds))
            return forecast.hours.firstIndex { $0.date == hour?.date }
        }
        #expect(index(0) == 0 && index(3_599) == 0 && index(3_600) == 1 && index(2 * 3_600 + 3_599) == 2)
        #expect(index(-60) == 0 && index(3 * 3_600) == nil, "no hour is older than its end")
    }

    @Test func numbersAreRounded() throws {
        let forecast = try forecast([0, 0, 0], offset: -5 * 3_600)
        #expect(forecast.hours.map(\.text) == ["0°", "1°", "2°"])
        #expect(
            forecast.high == "14°" && forecast.low == "5°" && forecast.days.count == 1,
            "a day without a number is left out")
        #expect(forecast.clock(forecast.hours[0].date) == "03:00")
        #expect(try self.forecast([0]).days.first?.name == "Thursday")
    }

    @Test func anAnswerWithoutHoursIsNone() throws {
        for text in ["{}", "[]", "null", #"{"hourly": {"time": [1], "temperature_2m": []}}"#] {
            #expect(Forecast(try JSONValue(parsing: text), Self.place) == nil)
        }
    }

    @Test func everyCodeIsASky() {
        let codes = [
            0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96, 99,
        ]
        let dangerous = codes.filter { Sky(code: $0).isDangerous }
        #expect(dangerous == [56, 57, 65, 66, 67, 75, 82, 86, 95, 96, 99])
        #expect(codes.filter { !Sky(code: $0).isWet } == [0, 1, 2, 3, 45, 48])
    }

    @Test func aPlaceMayBeCoordinates() {
        #expect(Place(coordinates: "46.95, 7.45") == Place(name: "46.95, 7.45", latitude: 46.95, longitude: 7.45))
        for text in ["Bern", "46.95", "91,0", "0,181", "1,2,3", ",", "Bern, CH"] {
            #expect(Place(coordinates: text) == nil)
        }
    }
}

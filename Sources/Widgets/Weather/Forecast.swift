// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

enum TemperatureUnit: String {
    case celsius, fahrenheit
}

/// The forecast of open-meteo.com for a place.
struct Forecast {
    static let server = HTTPServer("https://api.open-meteo.com", insteadBy: "WEATHER_SERVER")
    /// How long the timeline is right without a network.
    static let hoursInAdvance = 12

    /// How many of the next hours are shown side by side.
    static let glances = 4

    struct Hour {
        let date: Timestamp
        let temperature: Double
        let sky: Sky
        let isDay: Bool
        let text: String
        /// The label of the hour in the chart. Each hour is drawn two dozen times, but its label is made once.
        let label: String

        init(date: Timestamp, temperature: Double, sky: Sky, isDay: Bool) {
            (self.date, self.temperature, self.sky, self.isDay) = (date, temperature, sky, isDay)
            text = "\(Int(temperature.rounded()))°"
            label = "\(text) \(sky.words)"
        }
    }

    struct Day {
        let name: String
        let sky: Sky
        let high: String
        let low: String
    }

    let place: Place
    let hours: [Hour]
    let days: [Day]
    /// The offset of the place's clock, in seconds.
    let offset: Int

    static func fetch(_ place: Place, _ unit: TemperatureUnit) async throws(HTTPError) -> Forecast {
        let request = server.request(
            "/v1/forecast",
            [
                "latitude": "\(place.latitude)", "longitude": "\(place.longitude)",
                "hourly": "temperature_2m,weather_code,is_day",
                "daily": "weather_code,temperature_2m_max,temperature_2m_min", "timeformat": "unixtime",
                "timezone": "auto", "forecast_days": "4", "temperature_unit": unit.rawValue,
            ])
        let response = try await request.send()
        guard let forecast = Forecast(try response.json(), place) else {
            request.cache?.forget(request.url)
            throw .badAnswer("open-meteo.com has sent no forecast")
        }
        return forecast
    }

    /// Nil if the answer contains no hours.
    init?(_ answer: JSONValue, _ place: Place) {
        self.place = place
        let hourly = answer["hourly"]
        let offset = answer["utc_offset_seconds"].int ?? 0
        self.offset = offset
        hours = hourly["time"].array.enumerated().compactMap { index, time in
            guard let date = time.int, let temperature = hourly["temperature_2m"][index].double,
                let code = hourly["weather_code"][index].int
            else { return nil }
            return Hour(
                date: Timestamp(secondsSince1970: date), temperature: temperature, sky: Sky(code: code),
                isDay: hourly["is_day"][index].int != 0)
        }
        let daily = answer["daily"]
        days = daily["time"].array.enumerated().compactMap { index, time in
            guard let date = time.int, let high = daily["temperature_2m_max"][index].double,
                let low = daily["temperature_2m_min"][index].double, let code = daily["weather_code"][index].int
            else { return nil }
            return Day(
                name: Self.dayName(date + offset), sky: Sky(code: code), high: "\(Int(high.rounded()))°",
                low: "\(Int(low.rounded()))°")
        }
        if hours.isEmpty { return nil }
    }

    /// - Parameter seconds: since 1970 on the place's clock.
    private static func dayName(_ seconds: Int) -> String {
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        return names[(day % 7 + 7) % 7]
    }

    // MARK: What is shown

    /// The hour of a date; the first hour for an earlier date, and nil for a later one.
    func hour(at date: Timestamp) -> Hour? {
        guard let last = hours.last, date < last.date + .seconds(3_600) else { return nil }
        return hours.last { !($0.date > date) } ?? hours.first
    }

    func hours(after hour: Hour, _ count: Int) -> [Hour] {
        Array(hours.lazy.filter { !($0.date < hour.date) }.prefix(count))
    }

    /// Some of the next hours.
    func glance(after hour: Hour) -> [Hour] {
        let next = hours(after: hour, 16)
        return stride(from: 2, to: next.count, by: 3).prefix(Self.glances).map { next[$0] }
    }

    var high: String { days.first?.high ?? "--" }
    var low: String { days.first?.low ?? "--" }

    /// The state of the sky, and when that ends within half a day: `Sunny until 17:00`, `Cloudy, rain from 15:00`.
    func words(for hour: Hour) -> String {
        let next = hours(after: hour, 13).dropFirst()
        let words = hour.sky.words
        if hour.sky.isWet {
            guard let end = next.first(where: { !$0.sky.isWet }) else { return words }
            return "\(words) until \(clock(end.date))"
        }
        if let rain = next.first(where: \.sky.isWet) {
            return "\(words), \(rain.sky.words.lowercased()) from \(clock(rain.date))"
        }
        return words
    }

    /// A time of day on the place's clock.
    func clock(_ date: Timestamp) -> String {
        let minutes = ((date.seconds + offset) / 60 % 1_440 + 1_440) % 1_440
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

/// The state of the sky, by a code of the World Meteorological Organization (table 4677), as open-meteo.com uses them.
enum Sky {
    case clear, fair, cloudy, fog, drizzle, rain, heavyRain, ice, snow, heavySnow, thunder

    init(code: Int) {
        self =
            switch code {
            case 0: .clear
            case 1, 2: .fair
            case 45, 48: .fog
            case 51, 53, 55: .drizzle
            case 56, 57, 66, 67: .ice
            case 61, 63, 80, 81: .rain
            case 65, 82: .heavyRain
            case 71, 73, 77, 85: .snow
            case 75, 86: .heavySnow
            case 95...99: .thunder
            default: .cloudy
            }
    }

    var words: String {
        switch self {
        case .clear: "Clear"
        case .fair: "Partly cloudy"
        case .cloudy: "Cloudy"
        case .fog: "Fog"
        case .drizzle: "Drizzle"
        case .rain: "Rain"
        case .heavyRain: "Heavy rain"
        case .ice: "Freezing rain"
        case .snow: "Snow"
        case .heavySnow: "Heavy snow"
        case .thunder: "Thunderstorm"
        }
    }

    func symbol(isDay: Bool) -> String {
        switch self {
        case .clear: isDay ? "☀️" : "🌙"
        case .fair: isDay ? "⛅" : "☁️"
        case .cloudy: "☁️"
        case .fog: "🌫️"
        case .drizzle: "🌦️"
        case .rain, .heavyRain, .ice: "🌧️"
        case .snow, .heavySnow: "🌨️"
        case .thunder: "⛈️"
        }
    }

    var isWet: Bool {
        switch self {
        case .clear, .fair, .cloudy, .fog: false
        case .drizzle, .rain, .heavyRain, .ice, .snow, .heavySnow, .thunder: true
        }
    }

    /// Whether it makes the summary a warning.
    var isDangerous: Bool {
        switch self {
        case .heavyRain, .ice, .heavySnow, .thunder: true
        case .clear, .fair, .cloudy, .fog, .drizzle, .rain, .snow: false
        }
    }
}

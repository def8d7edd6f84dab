// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// The weather of a place, by open-meteo.com, which needs no key: now, the next hours, and three days. A timeline of twelve
/// hours keeps it right without a network.
@main
struct WeatherWidget: TodayWidget {
    private var forecast: Forecast?

    mutating func viewDidLoad() { forecast = nil }

    mutating func widgetPerformUpdate() async throws -> NCUpdateResult {
        let settings = extensionContext.settings
        guard let city = settings.string(forKey: "CITY") else {
            throw WidgetFailure("CITY is not set: set it with 'todayctl config'")
        }
        let unit = TemperatureUnit(rawValue: settings.string(forKey: "UNIT") ?? "") ?? .celsius
        let place = try await Place.find(city, in: .standard)
        forecast = try await Forecast.fetch(place, unit)
        return .newData
    }

    var timeline: Timeline? {
        guard let hours = forecast?.hours else { return nil }
        let now = extensionContext.entryDate
        let later = hours.lazy.filter { $0.date > now }.prefix(Forecast.hoursInAdvance)
        return Timeline(entries: later.map { TimelineEntry(date: $0.date) }, policy: .after(now + .seconds(1_800)))
    }

    var summary: WidgetSummary {
        guard let forecast, let hour = forecast.hour(at: extensionContext.entryDate) else { return WidgetSummary("--") }
        let severity: WidgetSummary.Severity =
            forecast.hours(after: hour, 3).contains(where: \.sky.isDangerous) ? .warning : .normal
        var summary = WidgetSummary(
            "\(forecast.place.name) \(hour.text) \(forecast.words(for: hour))", short: hour.text, severity: severity,
            icon: hour.sky.symbol(isDay: hour.isDay))
        summary.metrics["temperature"] = hour.temperature
        return summary
    }

    var body: some View {
        if let forecast, let hour = forecast.hour(at: extensionContext.entryDate) {
            HStack {
                Text(hour.text).font(.title)
                VStack {
                    Text(forecast.words(for: hour))
                    Text("\(forecast.place.name)  ↑ \(forecast.high)  ↓ \(forecast.low)").font(.caption)
                        .foregroundColor(.secondary)
                }
            }
            HStack {
                for later in forecast.glance(after: hour) {
                    VStack {
                        Text(String(forecast.clock(later.date).prefix(2))).font(.caption).foregroundColor(.secondary)
                        Text("\(later.sky.symbol(isDay: later.isDay)) \(later.text)")
                    }
                }
            }
            if extensionContext.widgetActiveDisplayMode == .expanded {
                let day = forecast.hours(after: hour, 24)
                LineChart(
                    "Temperature", points: day.map(\.temperature), dates: day.map(\.date),
                    texts: day.map(\.label))
                Grid(columns: 3) {
                    for day in forecast.days {
                        Text(day.name)
                        Text("\(day.sky.symbol(isDay: true)) \(day.sky.words)")
                        Text("\(day.high) / \(day.low)").foregroundColor(.secondary)
                    }
                }
            }
        } else {
            Text("no forecast yet").foregroundColor(.secondary)
        }
    }
}

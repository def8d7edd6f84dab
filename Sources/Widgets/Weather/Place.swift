// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// A place with its coordinates, which are looked up once.
struct Place: Equatable {
    private static let server = HTTPServer("https://geocoding-api.open-meteo.com", insteadBy: "WEATHER_SERVER")
    private static let key = "place"

    let name: String
    let latitude: Double
    let longitude: Double

    /// - Parameter typed: a name, or `46.95,7.45`.
    static func find(_ typed: String, in defaults: WidgetDefaults) async throws -> Place {
        if let place = Place(coordinates: typed) { return place }
        let known = defaults.dictionary(forKey: key)
        if known?["typed"] == .string(typed), case .string(let name)? = known?["name"],
            case .double(let latitude)? = known?["latitude"], case .double(let longitude)? = known?["longitude"]
        {
            return Place(name: name, latitude: latitude, longitude: longitude)
        }
        let answer = try await server.request("/v1/search", ["name": typed, "count": "1"]).send().json()
        guard let place = Place(answer["results"][0]) else {
            throw WidgetFailure("open-meteo.com knows no place \(typed); CITY may be 46.95,7.45, too")
        }
        // If this fails, the next update looks the place up again.
        try? defaults.set(
            [
                "typed": .string(typed), "name": .string(place.name), "latitude": .double(place.latitude),
                "longitude": .double(place.longitude),
            ] as [String: DefaultsValue], forKey: key)
        return place
    }

    init(name: String, latitude: Double, longitude: Double) {
        (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
    }

    init?(_ answer: JSONValue) {
        guard let name = answer["name"].string, let latitude = answer["latitude"].double,
            let longitude = answer["longitude"].double
        else { return nil }
        self.init(name: name, latitude: latitude, longitude: longitude)
    }

    init?(coordinates text: String) {
        let parts = text.split(separator: ",").map { Double($0.filter { $0 != " " }) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else { return nil }
        self.init(name: text, latitude: latitude, longitude: longitude)
    }
}

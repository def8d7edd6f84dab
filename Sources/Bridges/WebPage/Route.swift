// SPDX-License-Identifier: MIT

import TodayModel

/// Which widgets are looked at.
package enum PageView: Hashable, Sendable {
    case point(ExtensionPoint)
    case widget(WidgetID)
}

/// What a request means.
package enum Route: Hashable, Sendable {
    case style
    case script
    case icon
    case page(PageView, isKiosk: Bool)
    case list
    case offers
    case settings(WidgetID)
    case show(PageView)
    case stream(PageView)
    case metrics
    case picture(WidgetID, name: String)
    case change(PageChange)

    /// - Throws: the answer to a request for something that does not exist.
    package init(_ request: HTTPRequest) throws(RouteRefusal) {
        let path = request.path
        if path.hasPrefix(Self.changes) {
            guard request.method == "POST" else { throw RouteRefusal(405, "POST changes something", allow: "POST") }
            self = .change(try PageChange(named: String(path.dropFirst(Self.changes.count)), request.body))
            return
        }
        let route: Route
        switch path {
        case "/": route = .page(try Self.view(request), isKiosk: request.parameter("kiosk") != nil)
        case "/page.css": route = .style
        case "/page.js": route = .script
        case "/icon.svg": route = .icon
        case Self.picturePath: route = try Self.picture(request)
        case "/metrics": route = .metrics
        case "/api/list": route = .list
        case "/api/offers": route = .offers
        case "/api/settings": route = .settings(try Self.widget(request))
        case "/api/show": route = .show(try Self.view(request))
        case "/api/stream": route = .stream(try Self.view(request))
        default: throw RouteRefusal(404, "there is nothing here")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            throw RouteRefusal(405, "GET reads", allow: "GET, HEAD")
        }
        if case .stream = route, request.method == "HEAD" {
            throw RouteRefusal(405, "GET reads a stream", allow: "GET")
        }
        self = route
    }

    private static let changes = "/api/change/"
    package static let picturePath = "/api/picture"

    private static func picture(_ request: HTTPRequest) throws(RouteRefusal) -> Route {
        guard let id = request.parameter("widget").flatMap({ WidgetID($0) }), let name = request.parameter("image"),
            name.utf8.count == 16, name.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { throw RouteRefusal(400, "a picture has the identifier of its widget and a name of 16 digits") }
        return .picture(id, name: name)
    }

    private static func widget(_ request: HTTPRequest) throws(RouteRefusal) -> WidgetID {
        guard let id = request.parameter("widget").flatMap({ WidgetID($0) }) else {
            throw RouteRefusal(400, "widget is not an identifier of a widget")
        }
        return id
    }

    private static func view(_ request: HTTPRequest) throws(RouteRefusal) -> PageView {
        if request.parameter("widget") != nil { return .widget(try widget(request)) }
        guard let name = request.parameter("point") else { return .point(.today) }
        guard let point = ExtensionPoint(name: name) else {
            throw RouteRefusal(400, "point is today, lock-screen or status-bar")
        }
        return .point(point)
    }
}

/// Why a request means nothing.
package struct RouteRefusal: Error, Equatable {
    package let answer: HTTPAnswer

    init(_ status: Int, _ reason: String, allow: String? = nil) {
        var answer = HTTPAnswer(status, reason)
        if let allow { answer.headers.append(HTTPField("Allow", allow)) }
        self.answer = answer
    }
}

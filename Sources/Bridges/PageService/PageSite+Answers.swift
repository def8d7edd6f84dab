// SPDX-License-Identifier: MIT

import JSON
import Link
import LoopLink
import Platform
import Reactor
import Rendering
import TodayModel
import Varlink
import WebPage
import WebServer

/// What browsers get.
extension PageSite {
    func give(_ answer: HTTPAnswer, _ exchange: WebExchange, isAlone: Bool = false) {
        let tagged = exchange.request.method == "POST" ? answer : EntityTag.applied(to: answer, of: exchange.request)
        exchange.answer(security.applied(to: tagged, isAlone: isAlone))
    }

    static func json(_ reply: JSONObject) -> HTTPAnswer {
        HTTPAnswer(200, type: "application/json", Array((JSON.object(reply).text + "\n").utf8))
    }

    static func metrics(_ reply: JSONObject) throws -> HTTPAnswer {
        let shown = Shown(try reply.member("widgets", [Item].self), json: "")
        let text = OutputForm.prometheus.text(of: shown, Presentation(width: 80, now: .now))
        return HTTPAnswer(200, type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
    }

    func givePage(_ view: PageView, isKiosk: Bool, _ exchange: WebExchange) {
        let shownToken = SecurityHeaders.mayChange(exchange.request, view) ? token : nil
        let document = PageDocument(view, isKiosk: isKiosk, token: shownToken?.text, now: .now)
        func give(_ status: Int, _ html: String) {
            let vary = [HTTPField("Vary", "Sec-Fetch-Dest")]
            let page = HTTPAnswer(status, type: "text/html; charset=utf-8", Array(html.utf8), headers: vary)
            self.give(page, exchange, isAlone: shownToken != nil)
        }
        call("Show", view.parameters, exchange) { result in
            do {
                give(200, document.html(try result.get().member("items", [Item].self)))
            } catch {
                let (status, reason) = Self.trouble(error)
                give(status, document.html(trouble: reason))
            }
        }
    }

    func ask(
        _ method: String, _ parameters: JSONObject, _ exchange: WebExchange,
        _ answer: @escaping @LoopActor (JSONObject) throws -> HTTPAnswer
    ) {
        call(method, parameters, exchange) { [weak self] result in
            do {
                self?.give(try answer(try result.get()), exchange)
            } catch {
                let (status, reason) = Self.trouble(error)
                self?.give(HTTPAnswer(status, reason), exchange)
            }
        }
    }

    /// A name always means the same bytes, so a browser need not ask again.
    func givePicture(_ id: WidgetID, _ name: String, _ exchange: WebExchange) {
        ask("Picture", ["id": .string(id.text), "image": .string(name)], exchange) { reply in
            guard let bytes = reply["png"]?.stringValue.flatMap(Base64.decode) else {
                return HTTPAnswer(502, "todayd's picture is not understood")
            }
            return HTTPAnswer(
                200, type: "image/png", bytes,
                headers: [HTTPField("Cache-Control", "private, max-age=86400, immutable")])
        }
    }

    /// The status of the answer to an error, and the reason in words.
    private static func trouble(_ error: any Error) -> (Int, String) {
        switch error {
        case ServiceFailure.unreachable(let reason): (503, reason)
        case ServiceFailure.refused(let error): answer(to: error)
        default: (502, "todayd's reply is not understood: \(error)")
        }
    }

    private static func answer(to error: VarlinkError) -> (Int, String) {
        let reason = error.parameters["reason"]?.stringValue
        return switch error.name {
        case "org.todayd.Today.NoSuchWidget": (404, "there is no such widget")
        case "org.todayd.Today.Refused": (409, reason ?? "todayd refuses it")
        case "org.todayd.Today.NotStored": (500, reason ?? "todayd could not store it")
        case "org.todayd.Today.LimitReached": (503, reason ?? "todayd has too much to do")
        case "org.varlink.service.PermissionDenied", "org.todayd.Today.InteractiveAuthenticationRequired":
            (403, "todayd does not let this page change that")
        case "org.varlink.service.InvalidParameter": (400, "todayd does not understand the request")
        default: (502, "todayd says: \(error.name)")
        }
    }
}

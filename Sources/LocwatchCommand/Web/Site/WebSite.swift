import LocationCore
import LocationTracks

/// The answers to requests: the page, the data of the session, and the rules for who gets them.
struct WebSite {
    /// The rule for the names by which the page may be addressed.
    var hosts: HostRule
    /// The token that every request for data needs, if any.
    var token: AccessToken?
    /// The origin of map tiles that the page may load, if any.
    var tileOrigin: String?
    /// The facts about the session that the page needs, as JSON.
    var facts: [UInt8]
    /// Whether the session is that of a fleet, which has no track of its own.
    var isFleet: Bool

    /// The data of the session at the time of a request.
    struct Data {
        var state: WebState
        var track: WebTrack
        var metrics: SessionMetrics
    }

    /// Returns the response to a request.
    ///
    /// - Parameter data: Returns the data, which is not called for a request that gets none.
    func response(to request: WebRequest, _ data: () -> Data) -> WebResponse {
        var response = answer(request, data)
        response.headers += [
            ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
            // The servers of tiles want to know which page shows them; nothing else gets to know this page.
            ("Referrer-Policy", tileOrigin == nil ? "no-referrer" : "strict-origin"),
        ]
        return response
    }

    private func answer(_ request: WebRequest, _ data: () -> Data) -> WebResponse {
        guard hosts.permits(request.host) else {
            return .text(421, "this name is not a name of this page; use the address of the machine")
        }
        if request.path == "/session" { return session(request) }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text(405, "only GET is possible", [("Allow", "GET, HEAD")])
        }
        if let file = file(request.path) { return file }
        if let token, !token.isIn(request) {
            return .text(401, "the token is missing or wrong", [("WWW-Authenticate", "Bearer")] + Self.fresh)
        }
        return content(request, data) ?? .text(404, "there is nothing here")
    }

    /// The headers of what must not be kept.
    private static let fresh = [(name: "Cache-Control", value: "no-store")]

    /// Exchanges a token for a cookie.
    private func session(_ request: WebRequest) -> WebResponse {
        guard request.method == "POST" else { return .text(405, "only POST is possible", [("Allow", "POST")]) }
        guard let token else { return WebResponse(204, "text/plain", .bytes([]), Self.fresh) }
        guard token.isIn(authorization: request.authorization) else {
            return .text(401, "the token is missing or wrong", [("WWW-Authenticate", "Bearer")] + Self.fresh)
        }
        return WebResponse(204, "text/plain", .bytes([]), [token.cookieHeader] + Self.fresh)
    }

    /// Returns the part of the page with a path; it tells nothing about the session.
    private func file(_ path: String) -> WebResponse? {
        let headers = [(name: "Cache-Control", value: "no-cache")]
        switch path {
        case "/":
            return WebResponse(200, "text/html; charset=utf-8", .constant(WebPage.html), headers + [contentPolicy])
        case "/locwatch.css": return WebResponse(200, "text/css; charset=utf-8", .constant(WebPage.css), headers)
        case "/icon.svg": return WebResponse(200, "image/svg+xml", .constant(WebPage.icon), headers)
        case "/healthz": return .text(200, "ok", Self.fresh)
        default: break
        }
        guard let script = WebPage.scripts.first(where: { $0.path == path }) else { return nil }
        return WebResponse(200, "text/javascript; charset=utf-8", .constant(script.text), headers)
    }

    private var contentPolicy: (name: String, value: String) {
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
                + (tileOrigin.map { " \($0)" } ?? "")
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    }

    private func content(_ request: WebRequest, _ data: () -> Data) -> WebResponse? {
        switch request.path {
        case "/events":
            // A proxy must pass on each event at once.
            return WebResponse(
                200, "text/event-stream", .events(after: request.lastEventID),
                Self.fresh + [("X-Accel-Buffering", "no")])
        case "/location":
            let state = data().state
            guard let location = state.location else {
                return WebResponse(503, "application/json", .bytes(state.reason + [0x0A]), Self.fresh)
            }
            return WebResponse(200, "application/json", .bytes(location + [0x0A]), Self.fresh)
        case "/page.json": return WebResponse(200, "application/json", .bytes(facts), Self.fresh)
        case "/metrics":
            return WebResponse(200, PrometheusText.mediaType, .bytes(data().metrics.text.bytes), Self.fresh)
        case "/history.json", "/track.geojson", "/track.gpx":
            if isFleet { return .text(404, "a fleet has no single track") }
            return track(request.path, data().track)
        default: return nil
        }
    }

    private func track(_ path: String, _ track: WebTrack) -> WebResponse {
        switch path {
        case "/history.json": WebResponse(200, "application/json", .bytes(track.recent), Self.fresh)
        case "/track.gpx":
            WebResponse(
                200, "application/gpx+xml", .bytes(track.file(.gpx)),
                Self.fresh + [("Content-Disposition", "attachment; filename=\"track.gpx\"")])
        default: WebResponse(200, "application/geo+json", .bytes(track.file(.geojson)), Self.fresh)
        }
    }
}

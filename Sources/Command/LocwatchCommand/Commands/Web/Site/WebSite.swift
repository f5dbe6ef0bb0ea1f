import LocwatchSession

/// The answers to requests: the page, the data of the session, and the rules for who gets them.
struct WebSite {
    /// The rule for the names by which the page may be addressed.
    var hosts: HostRule
    /// The token that every request for data needs, if any.
    var token: AccessToken?
    /// The origin of map tiles that the page may load, if any.
    var tileOrigin: String?
    /// The file of map tiles that the page may load, if any.
    var tiles: TileArchive?
    /// The facts about the session that the page needs, as JSON.
    var facts: [UInt8]

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
        let route = WebRoute.all.first { $0.answers(request.path) }
        let methods = route?.methods ?? WebRoute.reading
        guard methods.contains(request.method) else {
            return .text(405, "only \(methods[0]) is possible", [("Allow", methods.joined(separator: ", "))])
        }
        // Without the token nothing is known about paths either.
        if let token, !(route?.permits(request, token) ?? token.isIn(request)) {
            let headers = [("WWW-Authenticate", "Bearer"), ("Cache-Control", "no-store")]
            return .text(401, "the token is missing or wrong", headers)
        }
        guard let route else { return .text(404, "there is nothing here") }
        var response = route.respond(self, request, data)
        response.mediaType = response.mediaType ?? route.mediaType
        // A failure can be over at the next request.
        response.headers.append(("Cache-Control", response.status < 300 ? route.caching : "no-store"))
        return response
    }

    /// The header that permits the page to load its own files and the tiles of its map only.
    var contentPolicy: (name: String, value: String) {
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
                + (tileOrigin.map { " \($0)" } ?? "")
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    }
}

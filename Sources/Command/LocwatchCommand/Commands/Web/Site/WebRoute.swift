import CLocwatchResources
import LocationCore
import LocationTracks
import LocwatchSession

/// A path of the web server, with its response.
struct WebRoute: Sendable {
    /// The requests that get a response.
    enum Access {
        case everyone
        /// Those that have the token, if there is one, in a header or a cookie.
        case token
        /// Those that have it in a header.
        case tokenInHeader
    }

    let path: String
    /// The beginning of the paths that have a response, if there are several, of which `path` shows the form.
    var beginning: String?
    let mediaType: String
    var methods = Self.reading
    var access = Access.token
    /// The value of the header Cache-Control.
    var caching = "no-store"
    /// The content of the response in one line without a full stop; empty for a part of the page.
    var help = ""
    /// The name of the page's link to the path, if any.
    var link: String?
    /// Whether the response is the track of the session, which a fleet does not have.
    var isTrack = false
    let respond: @Sendable (WebSite, WebRequest, () -> WebSite.Data) -> WebResponse

    static let reading = ["GET", "HEAD"]

    /// Returns whether the response is for a path.
    func answers(_ path: String) -> Bool { beginning.map { path.hasPrefix($0) } ?? (path == self.path) }

    /// Returns whether a request can have a response from a server with a token.
    func permits(_ request: WebRequest, _ token: AccessToken) -> Bool {
        switch access {
        case .everyone: true
        case .token: token.isIn(request)
        case .tokenInHeader: token.isIn(authorization: request.authorization)
        }
    }
}

extension WebRoute {
    /// Every path, those for programs first.
    static let all = programs + page + files

    /// The paths for programs, as the help and the manual page list them.
    static let programs = [
        WebRoute(
            path: "/events", mediaType: "text/event-stream",
            help: "the session as Server-Sent Events with the JSON of 'watch -j --sky --all-devices'"
        ) { _, request, _ in
            // A proxy must pass on each event at once.
            WebResponse(.events(after: request.lastEventID), [("X-Accel-Buffering", "no")])
        },
        WebRoute(
            path: "/location", mediaType: "application/json",
            help: "the newest position as JSON, or status 503 and the state with its reason while none is current",
            link: "JSON"
        ) { _, _, data in
            let state = data().state
            guard let location = state.location else { return WebResponse(.bytes(state.reason + [0x0A]), status: 503) }
            return WebResponse(.bytes(location + [0x0A]))
        },
        WebRoute(
            path: "/track.gpx", mediaType: "application/gpx+xml", help: "the track of the session as GPX", link: "GPX",
            isTrack: true
        ) { _, _, data in
            track(data) { points in
                WebResponse(
                    .text(atLeast: points.leastSize) { points.file(.gpx) },
                    [("Content-Disposition", "attachment; filename=\"track.gpx\"")])
            }
        },
        WebRoute(
            path: "/track.geojson", mediaType: "application/geo+json", help: "the same as GeoJSON", link: "GeoJSON",
            isTrack: true
        ) { _, _, data in
            track(data) { points in WebResponse(.text(atLeast: points.leastSize) { points.file(.geojson) }) }
        },
        WebRoute(
            path: "/tiles/Z/X/Y", beginning: "/tiles/", mediaType: "image/png", caching: "private, max-age=604800",
            help: "a tile of the file of --tiles: zoom, column from the west, and row from the north"
        ) { site, request, _ in
            let found: TileArchive.Tile?
            do throws(TileArchive.IsTooSlow) {
                found = try TilePlace(path: request.path).flatMap { (place) throws(TileArchive.IsTooSlow) in
                    try site.tiles?.tile(at: place)
                }
            } catch {
                return .busy("the file of the map took too long to read")
            }
            guard let tile = found else { return .text(404, "there is no tile here") }
            var response = WebResponse(.bytes(tile.bytes))
            response.mediaType = tile.picture.mediaType
            return response
        },
        WebRoute(
            path: "/metrics", mediaType: PrometheusText.mediaType,
            help: "the metrics in Prometheus' text format, as --metrics-file writes them"
        ) { _, _, data in
            let metrics = data().metrics
            return WebResponse(.text { metrics.text.bytes })
        },
        WebRoute(
            path: "/healthz", mediaType: WebResponse.plainText, access: .everyone,
            help: "status 200 while the program runs, also without a token"
        ) { _, _, _ in .text(200, "ok") },
    ]

    /// Returns the response with the points of the track, if the session has one.
    private static func track(_ data: () -> WebSite.Data, _ respond: (WebPoints) -> WebResponse) -> WebResponse {
        guard let points = data().track.points else { return .text(404, "a fleet has no single track") }
        return respond(points)
    }

    /// The requests of the page's script.
    private static let page = [
        WebRoute(path: "/page.json", mediaType: "application/json") { site, _, _ in WebResponse(.bytes(site.facts)) },
        WebRoute(path: "/history.json", mediaType: "application/json", isTrack: true) { _, _, data in
            track(data) { points in WebResponse(.text(atLeast: points.leastSizeOfRecent) { points.recent }) }
        },
        // Exchanges the token for a cookie.
        WebRoute(path: "/session", mediaType: "text/plain", methods: ["POST"], access: .tokenInHeader) {
            site, request, _ in
            let cookies = site.token?.cookieHeaders(isEncrypted: request.isEncrypted) ?? []
            return WebResponse(.bytes([]), cookies, status: 204)
        },
    ]

    /// The files of the page, which contain nothing about the session.
    private static var files: [WebRoute] {
        var files: [WebRoute] = []
        while let file = locwatch_page_file(files.count)?.pointee {
            let place = files.count
            files.append(
                WebRoute(
                    path: String(cString: file.path), mediaType: String(cString: file.media_type), access: .everyone,
                    caching: "no-cache"
                ) { site, request, _ in
                    // `place` is that of a file.
                    let file = locwatch_page_file(place)!.pointee
                    return WebResponse(
                        .constant(UnsafeBufferPointer(start: file.bytes, count: file.count)),
                        request.path == "/" ? [site.contentPolicy] : [])
                })
        }
        return files
    }
}

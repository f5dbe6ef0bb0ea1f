import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal
@testable import LocwatchCommand

@Suite(.serialized, .withFew) struct WebSiteTests {
    private static func data(_ updates: [TrackedUpdate] = []) -> WebSite.Data {
        var data = WebSite.Data(state: WebState(.standard, Settings()), track: WebTrack(), metrics: SessionMetrics())
        let view = SessionView()
        for update in updates {
            _ = data.state.process(update, view)
            data.track.process(update)
            data.metrics.process(update, view)
        }
        return data
    }

    private static func site(token: String? = nil, tiles: String? = nil) -> WebSite {
        WebSite(
            hosts: HostRule(), token: token.flatMap { AccessToken($0, port: 8080, random: SplitMix64(seed: 1)) },
            tileOrigin: tiles,
            facts: Array("{}".utf8))
    }

    /// Returns the response of a site to a request after updates.
    private static func response(
        _ request: WebRequest, of site: WebSite = site(), after updates: [TrackedUpdate] = []
    ) -> WebResponse {
        site.response(to: request) { data(updates) }
    }

    private static func object(_ json: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private static func text(_ response: WebResponse) -> String {
        switch response.body {
        case .constant(let bytes): String(decoding: bytes, as: UTF8.self)
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .text(_, let make): String(decoding: make(), as: UTF8.self)
        case .events: "events"
        }
    }

    @Test(arguments: [Units.metric, .imperial, .nautical])
    func `the page gets the units that were chosen`(units: Units) throws {
        let settings = with(Settings()) { $0.output.units = units }
        #expect(TextBuffer.text { $0.putFacts(.standard, settings) }.contains("\"units\":\"\(units.rawValue)\""))
        // The script has a system of that name, and no other unit of length or speed.
        let script = try String(contentsOf: Golden.package.appending(path: "Web/text.js"), encoding: .utf8)
        #expect(script.contains("  \(units.rawValue): { length:"))
    }

    private static let token = "0123456789abcdef"
    /// The cookie for it, with the first numbers of the generator.
    private static let cookie: String = {
        var random = SplitMix64(seed: 1)
        return "locwatch-8080=" + (0..<4).map { _ in random.next().hexadecimal }.joined()
    }()
    /// The paths that belong to the session, which need the token if there is one.
    private static let content = [
        "/events", "/location", "/track.geojson", "/track.gpx", "/metrics", "/page.json", "/history.json",
    ]
    /// The paths that are the same for every session.
    private static let files = ["/", "/locwatch.css", "/page.js", "/map.js", "/icon.svg", "/healthz"]

    @Test(arguments: content + files)
    func `each path has an answer, with the header that forbids guessing its type, but not for another site's name`(
        path: String
    ) {
        let response = Self.response(WebRequest(path: path), after: ScriptedSession.updates)
        #expect(response.status == (path == "/location" ? 503 : 200))
        #expect(!Self.text(response).isEmpty)
        #expect(response.headers.contains { $0 == ("X-Content-Type-Options", "nosniff") })
        #expect(Self.response(WebRequest(path: path, host: "evil.example")).status == 421)
    }

    @Test(arguments: content)
    func `without the token there is no data`(path: String) {
        let site = Self.site(token: Self.token)
        for request in [
            WebRequest(path: path), WebRequest(method: "HEAD", path: path, authorization: "Bearer wrong"),
            WebRequest(path: path, cookie: "\(Self.cookie)0"),
        ] {
            let response = Self.response(request, of: site)
            #expect(response.status == 401)
            #expect(Self.text(response) == "the token is missing or wrong\n")
        }
        let response = Self.response(WebRequest(path: path, cookie: Self.cookie), of: site)
        #expect(response.status == (path == "/location" ? 503 : 200))
    }

    @Test func `the page exchanges the token for a cookie that no script and no other site can use`() {
        let site = Self.site(token: Self.token)
        let request = WebRequest(method: "POST", path: "/session", authorization: "Bearer \(Self.token)")
        for (isEncrypted, end) in [(false, ""), (true, "; Secure")] {
            let response = Self.response(with(request) { $0.isEncrypted = isEncrypted }, of: site)
            #expect(response.status == 204)
            let cookies = response.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
            #expect(cookies == ["\(Self.cookie); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000\(end)"])
        }
        let wrong = WebRequest(method: "POST", path: "/session", cookie: Self.cookie)
        #expect(Self.response(wrong, of: site).status == 401)
    }

    @Test func `the content policy names no other origin, except that of the tiles`() {
        func policy(_ site: WebSite) -> String {
            let headers = Self.response(WebRequest(path: "/"), of: site).headers
            return headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        }
        #expect(!policy(Self.site()).contains("unsafe") && !policy(Self.site()).contains("http"))
        #expect(policy(Self.site(tiles: "https://tile.example")).contains("img-src 'self' https://tile.example;"))
    }

    @Test func `a tile of a file is a picture that a browser keeps, and needs the token`() throws {
        let scratch = try Scratch()
        try TileFile.write([TileFile.table, TileFile.tile(1, 1, 0)], to: scratch.path("t"))
        let archive = try TileArchive(scratch.path("t"))
        let site = with(Self.site(token: Self.token)) { $0.tiles = archive }
        func response(_ path: String, method: String = "GET", cookie: String? = Self.cookie) -> WebResponse {
            Self.response(WebRequest(method: method, path: path, cookie: cookie), of: site)
        }
        for method in ["GET", "HEAD"] {
            let tile = response("/tiles/1/1/1", method: method)
            #expect(tile.status == 200 && tile.mediaType == "image/png")
            #expect(tile.headers.contains { $0 == ("Cache-Control", "private, max-age=604800") })
            #expect(tile.headers.contains { $0 == ("X-Content-Type-Options", "nosniff") })
            #expect(tile.headers.contains { $0 == ("Cross-Origin-Resource-Policy", "same-origin") })
            guard case .bytes(TileFile.png) = tile.body else {
                Issue.record("\(tile.body)")
                continue
            }
        }
        for path in ["/tiles/1/1/0", "/tiles/1/1/1/", "/tiles/", "/tiles/2/0/0", "/tiles/1/1/../1", "/tiles/Z/X/Y"] {
            let missing = response(path)
            #expect(missing.status == 404 && missing.mediaType == WebResponse.plainText, "\(path)")
            #expect(missing.headers.contains { $0 == ("Cache-Control", "no-store") })
        }
        for path in ["/tiles/1/1/1", "/tiles/1/1/0"] { #expect(response(path, cookie: nil).status == 401) }
        #expect(response("/tiles/1/1/1", method: "POST").status == 405)
        #expect(response("/tiles").status == 404)
    }

    @Test func `without a file there is no tile, and the policy with one is the same`() throws {
        #expect(Self.response(WebRequest(path: "/tiles/0/0/0")).status == 404)
        let scratch = try Scratch()
        try TileFile.write(to: scratch.path("t"))
        let archive = try TileArchive(scratch.path("t"))
        let site = with(Self.site()) { $0.tiles = archive }
        let request = WebRequest(path: "/")
        let (own, usual) = (Self.response(request, of: site), Self.response(request))
        #expect(own.headers.map(\.name) == usual.headers.map(\.name))
        #expect(own.headers.map(\.value) == usual.headers.map(\.value))
        #expect(own.headers.contains { $0 == ("Referrer-Policy", "no-referrer") })
    }

    @Test(arguments: [
        ("POST", "localhost", "/", 405), ("GET", "localhost", "/session", 405), ("GET", "localhost", "/x", 404),
        ("DELETE", "localhost", "/location", 405), ("POST", "evil.example", "/session", 421),
    ])
    func `other methods and paths are refused`(method: String, host: String, path: String, status: Int) {
        #expect(Self.response(WebRequest(method: method, path: path, host: host)).status == status)
    }

    @Test(arguments: [
        (8, 0, 200, #""lat":45.073612,"#), (8, 4, 503, #""to":"error""#), (0, 0, 503, #""reason":"starting""#),
    ])
    func `the newest position is given while it is current, and else the reason`(
        first: Int, last: Int, status: Int, words: String
    ) throws {
        let updates = ScriptedSession.updates.prefix(first) + ScriptedSession.updates.suffix(last)
        let response = Self.response(WebRequest(path: "/location"), after: Array(updates))
        #expect(response.status == status)
        #expect(Self.text(response).contains(words))
    }

    @Test func `the track has the points of the session in its segments`() throws {
        var data = Self.data()
        for second in 0..<10 {
            let location = ScriptedSession.location(Double(second))
            data.track.process(.update(LocationUpdate(.location(location), at: Double(second))))
        }
        let points = try #require(data.track.points)
        let geojson = try Self.object(points.file(.geojson))
        let features = try #require(geojson["features"] as? [[String: Any]])
        let line = features.first?["geometry"] as? [String: Any]
        #expect((line?["coordinates"] as? [[Double]])?.count == 10)
        let rows = try #require(try Self.object(points.recent)["points"] as? [[Any]])
        #expect(rows.count == 10)
        #expect(rows.first?.last as? Int == 1 && rows.last?.last as? Int == 0)
        #expect(rows.first?[4] as? Double == 5.4)
    }

    @Test(arguments: ["/track.gpx", "/track.geojson", "/history.json"])
    func `a fleet has no track, because each of its machines has one of its own`(path: String) {
        let update = LocationUpdate(.location(with(ScriptedSession.location(1)) { $0.device = "bus/1" }), at: 1)
        for (update, status) in [(update, 200), (update.ofFleet, 404)] {
            #expect(Self.response(WebRequest(path: path), after: [.update(update)]).status == status)
        }
    }

    @Test func `a long track keeps its end, and its memory is limited`() throws {
        var track = WebTrack()
        let count = WebPoints.limit * 3
        for second in 0..<count {
            let location = ScriptedSession.location(Double(second), latitude: Double(second) / 1e6)
            track.process(.update(LocationUpdate(.location(location), at: Double(second))))
        }
        let points = try #require(track.points)
        let list = points.list
        #expect(list.count <= WebPoints.limit && list.count > WebPoints.limit / 2)
        #expect(list.first?.latitude == 0)
        #expect(list.last?.latitude == Double(count - 1) / 1e6)
        #expect(list.filter(\.beginsSegment).count == 1)
        // The page gets the newest ones.
        let rows = try #require(try Self.object(points.recent)["points"] as? [[Any]])
        #expect(rows.count == 3600 && rows.last?[1] as? Double == Double(count - 1) / 1e6)
    }

    @Test func `names from outside stay within their lines, and devices beyond the limit are not kept`() throws {
        var (state, tracker) = (WebState(.standard, Settings()), Tracker())
        let updates = (0..<(WebState.deviceLimit + 10)).map { number in
            let location = with(ScriptedSession.location(1)) { $0.device = "d\(number)\n\u{2028}</script>\n\ndata: x" }
            return LocationUpdate(.location(location), at: 1)
        }
        var lines: [[UInt8]] = []
        tracker.play(updates) { lines += state.process($0, $1) }
        #expect(lines.count > WebState.deviceLimit * 2)
        #expect((lines + state.lines).allSatisfy { !$0.contains(0x0A) && !$0.contains(0x0D) })
        #expect(WebState.deviceLimit * 2..<WebState.deviceLimit * 2 + 10 ~= state.lines.count)
        for line in state.lines { _ = try Self.object(line) }
    }

    @Test func `the page in the program is that of the folder Web`() throws {
        let folder = Golden.package.appending(path: "Web")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names {
            let path = name == "index.html" ? "/" : "/\(name)"
            let text = Self.text(Self.response(WebRequest(path: path)))
            #expect(text == (try String(contentsOf: folder.appending(path: name), encoding: .utf8)))
        }
        #expect(WebRoute.all.filter { $0.caching == "no-cache" }.count == names.count)
        let page = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
        #expect(!page.contains("style=") && !page.contains("onclick"))
    }

    @Test func `a new reader receives the line of the state once, also when the log no longer has it`() {
        var state = WebState(.standard, Settings())
        for update in ScriptedSession.updates.prefix(8) { _ = state.process(update, SessionView()) }
        for count in [0, WebState.logLimit - 1, 1, 7] {
            for _ in 0..<count {
                let notice = LocationEvent.notice(.dropped(locations: 1, skyViews: 0, others: 0))
                _ = state.process(.update(LocationUpdate(notice, at: 9)), SessionView())
            }
            let changes = state.lines
                .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix(#"{"event":"state""#) }
            #expect(changes.last?.contains(#""to":"found""#) == true)
            #expect(Set(changes).count == changes.count)
        }
    }
}

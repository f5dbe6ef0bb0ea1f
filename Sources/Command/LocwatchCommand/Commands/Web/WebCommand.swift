import Glibc
import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `web`, which shows a session to browsers, and gives its events and metrics to programs.
final class WebCommand: Command, SessionHolder, SessionConsumer {
    static let entry = CommandEntry(
        "web", operands: [.source],
        options: [
            "color", "device", "duration", "fence", "hook-limit", "listen", "metrics-file",
            "no-reconnect", "on", "pace", "port", "precision", "quiet", "stale", "state", "tiles", "token-file",
            "units", "verbose",
        ],
        summary: "show the position on a web page, and give metrics",
        description: [
            "Serves a page with a live map, the sky, the signals and what has happened, at http://localhost:8080/. The "
                + "map is a grid with a scale, or shows streets with --tiles. Nothing is loaded from the internet, except with the "
                + "address of a server of tiles.",
            "Only this machine can read the page, unless --listen names another address, which needs a token.",
            "It needs the library of the Debian package \(MicrohttpdLibrary.package). A recording stays on the page when "
                + "it has ended.",
        ],
        examples: [
            "locwatch web": "the local gpsd, at http://localhost:8080/",
            "locwatch web --pace 10x drive.json": "a recording, ten times as fast",
            "locwatch web --listen 0.0.0.0:8080 --token-file token": "for a telephone in the same network",
            "locwatch web --tiles streets.mbtiles": "streets on the map, without a network",
        ], overview: [0])

    let session: CommandSession
    private var site: WebSite
    private let service: ServiceManager?
    /// The port, which is taken before the program is confined.
    private var sockets: ListeningSockets?
    private var server: WebServer?
    private var state: WebState
    private var track = WebTrack()
    private var ownMetrics = SessionMetrics()
    private var positions = 0
    /// The bytes of the events that the readers were not woken for yet.
    private var unsent = 0
    private var hasEnded = false
    private weak var loop: SessionLoop?

    static func run(_ session: CommandSession) -> ExitCode {
        do throws(StartFailure) {
            let setup = try WebSetup(session.settings, session.context.environment)
            return try WebCommand(session, setup).run(setup)
        } catch {
            return session.fail(error)
        }
    }

    private init(_ session: CommandSession, _ setup: WebSetup) {
        self.session = session
        let (source, settings) = (session.source, session.settings)
        service = ServiceManager(session.context.environment)
        site = WebSite(
            hosts: setup.hosts, token: setup.token, tileOrigin: settings.serving.tiles?.server?.origin, facts: [])
        state = WebState(source, settings)
    }

    private func run(_ setup: WebSetup) throws(StartFailure) -> ExitCode {
        sockets = try setup.sockets()
        var plan = SessionPlan(self)
        plan.request.includesClock = true
        plan.showsDistance = true
        plan.access?.connects = true
        plan.access?.reads = [session.settings.serving.tiles?.file].compactMap(\.self)
        plan.open = { [unowned self] () throws(StartFailure) in try open(setup) }
        plan.shows.work = { [unowned self] _ in readers }
        defer { server?.stop() }
        return session.run(plan) { _, _ in .done() }
    }

    private func open(_ setup: WebSetup) throws(StartFailure) {
        guard let sockets = sockets.take() else { return }
        try prepareSite()
        let isLoopback = sockets.isLoopback
        let server: WebServer
        do throws(SystemFailure) {
            server = try WebServer(
                setup.library, sockets, session: String(UInt32.random(in: 0...UInt32.max), radix: 16),
                limits: .serving(isLoopback: isLoopback), snapshot: { [unowned self] in snapshot },
                answer: { [unowned self] request in
                    site.response(to: request) {
                        WebSite.Data(state: state, track: track, metrics: metrics)
                    }
                })
        } catch {
            throw StartFailure("\(error)", .unavailable)
        }
        self.server = server
        announce(host: setup.host, port: server.port, isLoopback: isLoopback)
    }

    /// Opens the file of the map, if any, and writes the facts for the page.
    private func prepareSite() throws(StartFailure) {
        let settings = session.settings
        var tiles = settings.serving.tiles?.server.map { PageTiles($0) }
        if let path = settings.serving.tiles?.file {
            let archive = try TileArchive(path)
            site.tiles = archive
            tiles = PageTiles(archive)
        }
        var facts = TextBuffer()
        facts.putFacts(session.source, settings, tiles)
        site.facts = facts.bytes
    }

    private func announce(host: String, port: UInt16, isLoopback: Bool) {
        let place = "\(host):\(port)/"
        let what = "shows the position of \(source.place) to"
        let line =
            switch (site.token != nil, isLoopback) {
            case (false, _): "http://\(place) \(what) every user and every program of this machine"
            case (true, true): "http://\(place)#TOKEN \(what) users and programs of this machine that have the token"
            case (true, false): "http://\(place)#TOKEN \(what) everybody in the network who has the token, unencrypted"
            }
        // Its operator can follow the machine by the tiles that are asked for.
        let server = session.settings.serving.tiles?.server
        let observer = server.map { "; the server \($0.host) learns where they look on the map" }
        narrator.say(line + (observer ?? ""), .information)
    }

    // MARK: The session

    func begin(_ loop: SessionLoop) {
        self.loop = loop
        service?.ready()
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        for line in state.process(update, view) { append(line) }
        track.process(update)
        if loop?.metrics == nil { ownMetrics.process(update, view) }
        if let (_, standing) = update.position, standing == .current { positions += 1 }
        return nil
    }

    /// The metrics of the session, which the file computes if there is one.
    private var metrics: SessionMetrics { loop?.metrics?.metrics ?? ownMetrics }

    private func append(_ line: [UInt8]) {
        server?.backlog.append(line)
        unsent += line.count
        // Without this, a recording that is read at full speed would be faster than any reader.
        if unsent > WebServer.burst { wakeReaders() }
    }

    /// The text with which a new reader of the events begins.
    private var snapshot: [UInt8] {
        // The time after which a browser connects again.
        var text = Array("retry: 2000\n".utf8)
        let lines = state.lines
        for (place, line) in lines.enumerated() {
            // The reader can continue only after the last line.
            text += EventBacklog.text(line, name: place == lines.count - 1 ? server?.backlog.newest : nil)
        }
        return text
    }

    // MARK: The loop

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        server?.serve(ready)
        wakeReaders()
        return nil
    }

    private func wakeReaders() {
        guard unsent > 0 else { return }
        unsent = 0
        server?.wake()
    }

    func prepare(_ wait: inout SessionWait) {
        server?.addDescriptors(to: &wait.descriptors)
        wait.shorten(to: server?.waitLimit)
        wait.shorten(to: service?.keepAliveInterval)
        if hasEnded { wait.shorten(to: .seconds(1)) }
        if !wait.hasInput { service?.tick(status: status, at: DeliveryClock.now) }
    }

    private var status: String { "\(state.state.code), \(readers)" }

    private var readers: String { (server?.readerCount ?? 0).counting("reader") }

    /// Tells the readers of the end once; a recording that has ended can still be looked at, until a signal comes.
    func linger(_ ending: Ending) -> Bool {
        guard case .ended(let reason) = ending.outcome else {
            service?.stopping()
            return false
        }
        if !hasEnded {
            hasEnded = true
            append(state.end(SessionEnd(time: ending.moment.wall, reason: reason, locations: positions)))
            wakeReaders()
        }
        if reason == .ended { return true }
        service?.stopping()
        return false
    }
}

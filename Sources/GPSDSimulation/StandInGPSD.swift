public import GPSDReports
public import LocationCore
public import Platform

/// A gpsd on loopback TCP that plays a recorded session to any number of gpsd clients, and does wrong what it is told to.
///
/// It speaks as gpsd 3.22 does. The session begins when the first client watches, and goes on whoever listens.
public final class StandInGPSD: Sendable {
    /// What makes the session go on.
    public enum Advance: Hashable, Sendable {
        /// Time, at a pace; as fast as the fastest client takes it where the pace is `max`.
        case paced(ReplayPace)
        /// `send(lines:)` and `sendRest()` only.
        case byHand
    }

    /// How a stand-in is set up.
    public struct Settings: Hashable, Sendable {
        /// Where to listen: on loopback, IPv4 and IPv6, where it is `nil`; else at the address of this name.
        public var address: String?
        /// The port; a free one where it is 0.
        public var port: UInt16 = 0
        /// What makes the session go on.
        public var advance = Advance.paced(.recorded)
        /// Whether the session begins again after its end, instead of silence.
        public var loops = false
        /// Whether all times are shifted, so that the first report's is the moment at which it is played.
        public var redates = false
        /// What goes wrong.
        public var faults: [StandInFault] = []
        /// The number of bytes that may wait for a client before it is cut off, as gpsd does.
        public var backlog = 3_000_000
        /// The number of clients that may be connected at a time; gpsd's own limit by default.
        public var clientLimit = 64
        /// The time after which a client is disconnected that neither watches nor sends a valid command, as gpsd does.
        public var idleLimit = Duration.seconds(900)

        /// The usual settings: at the recorded pace, once, on a free port.
        public init() {}
    }

    /// One thing that a client asked for.
    public struct Request: Hashable, Sendable {
        /// The client's number; the first one to connect is 1.
        public var client: Int
        /// What it sent, up to its `;`.
        public var text: String

        /// A request of a client.
        public init(client: Int, text: String) {
            self.client = client
            self.text = text
        }
    }

    /// What has happened so far.
    public struct Progress: Hashable, Sendable {
        /// Connections that were taken, open or closed.
        public var connections = 0
        /// Clients that are connected.
        public var clients = 0
        /// Those of them that watch.
        public var watchers = 0
        /// Lines that were played, over all rounds.
        public var linesPlayed = 0
        /// Times that the whole session was played.
        public var rounds = 0
        /// Clients that were cut off, as too much waited for them.
        public var cutOff = 0
        /// Clients that were refused because too many were connected.
        public var refused = 0
        /// Clients that were disconnected because they were idle.
        public var timedOut = 0
        /// The number of commands that clients have sent.
        public private(set) var requestCount = 0
        /// The latest commands, at most `requestLimit` of them, in the order of their arrival.
        public private(set) var requests: [Request] = []
        /// The number of commands that are kept.
        public static let requestLimit = 64

        mutating func append(_ request: Request) {
            requestCount += 1
            if requests.count == Self.requestLimit { requests.removeFirst() }
            requests.append(request)
        }
    }

    /// The port at which it listens.
    public let port: UInt16
    private let desk: StandInServer.Desk
    private let thread: NativeThread

    /// Starts a stand-in, to which clients can connect when this returns.
    ///
    /// - Parameter now: the time of day, for what is dated anew and for `?POLL;`.
    public init(
        _ session: StandInSession, settings: Settings = Settings(),
        now: @escaping @Sendable () -> Timestamp = { WallTime.now }
    ) throws(SystemFailure) {
        desk = try StandInServer.Desk(Progress())
        let server = try StandInServer(session: session, settings: settings, desk: desk, now: now)
        port = server.port
        thread = try NativeThread { server.serve() }
    }

    deinit { stop() }

    /// Ends all connections and gives the port back.
    public func stop() {
        thread.join { desk.ask(.stop) }
    }

    /// Plays the next lines to those who watch; returns when they are sent or wait to be.
    public func send(lines count: Int = 1) { desk.ask(.play(lines: count)) }

    /// Plays what is left of the session to those who watch.
    public func sendRest() { desk.ask(.play(lines: .max)) }

    /// Sends bytes that are not in the session to those who watch.
    public func send(_ bytes: [UInt8]) { desk.ask(.send(bytes)) }

    /// Ends all connections, or breaks them off with `reset`; new ones are taken.
    public func hangUp(reset: Bool = false) { desk.ask(.hangUp(reset: reset)) }

    /// Has other things go wrong from now on.
    public func setFaults(_ faults: [StandInFault]) { desk.ask(.faults(faults)) }

    /// What has happened so far.
    public var progress: Progress { desk.progress }

    /// Waits until what has happened is as described; `false` when it was not so in time.
    ///
    /// It blocks the thread: for tests and the like.
    public func wait(within limit: Duration = .seconds(10), until isSo: (Progress) -> Bool) -> Bool {
        desk.wait(within: limit, until: isSo)
    }
}

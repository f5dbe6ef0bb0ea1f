import Glibc
public import LocationCore
public import GPSDProtocol
package import LocwatchPlatform

/// A server that plays a recorded session to gpsd clients over TCP, with faults on request.
///
/// It answers as gpsd 3.22 does. The session begins when the first client watches and continues without clients.
public final class StandInGPSD: Sendable {
    /// The means by which the session advances.
    public enum Advance: Hashable, Sendable {
        /// With time at a pace; at the pace `max`, as fast as the fastest client reads.
        case paced(ReplayPace)
        /// Only by `send(lines:)` and `sendRest()`.
        case byHand
    }

    /// The clock by which a session is played.
    public enum Clock: Hashable, Sendable {
        /// The clock of the machine.
        case system
        /// A clock that begins at a time, and that only the command `step` advances.
        case manual(Timestamp)

        /// A clock that is the same in every run: it begins with the year 2026, and only the command `step` advances it.
        public static let manual = Clock.manual(Timestamp(nanosecondsSince1970: 1_767_225_600_000_000_000))
    }

    /// The configuration of a stand-in.
    public struct Settings: Hashable, Sendable {
        /// The name of the address to listen at; `nil` for loopback in IPv4 and IPv6.
        public var address: String?
        /// The port, or 0 for any free one.
        public var port: UInt16 = 0
        /// The means by which the session advances.
        public var advance = Advance.paced(.recorded)
        /// Whether the session begins again after its end.
        public var loops = false
        /// Whether all times are shifted so that the session begins now.
        package var redates = false
        /// The faults of the server.
        package var faults: [StandInFault] = []
        /// The steps that are performed while the session is played.
        public var script = StandInScript()
        /// The clock by which the session is played.
        public var clock = Clock.system
        /// The path of a Unix socket through which tests drive the stand-in, if any.
        public var control: String?
        /// The path of a pseudo terminal that gives the session as NMEA sentences, if any.
        public var terminal: String?
        /// The number of bytes that may wait for a client before it is cut off, as gpsd does.
        package var backlog = 3_000_000
        /// The number of bytes that may wait for all clients before those with the most are cut off.
        package var totalBacklog = 64_000_000
        /// The number of clients that may be connected at a time; gpsd's own limit by default.
        package var clientLimit = 64
        /// The time after which a client is disconnected that neither watches nor sends a valid command, as gpsd does.
        package var idleLimit = Duration.seconds(900)
        /// The interval of the looks at the control socket and the link to the serial line.
        package var pathInterval = Duration.seconds(1)

        /// Creates the default settings: at the recorded pace, once, on a free port.
        public init() {}
    }

    /// A command that a client sent.
    public struct Request: Hashable, Sendable {
        /// The client's number; the first one to connect is 1.
        public var client: Int
        /// The command with its `;`.
        public var text: String
    }

    /// The counts of what has happened so far.
    public struct Progress: Hashable, Sendable {
        /// Connections that were accepted, open or closed.
        public var connections = 0
        /// Clients that are connected.
        public var clients = 0
        /// Those of them that watch.
        public var watchers = 0
        /// Lines that were played, over all rounds.
        package var linesPlayed = 0
        /// Times that the whole session was played.
        package var rounds = 0
        /// Clients that were cut off because too many bytes waited for them.
        package var cutOff = 0
        /// Clients that were refused because too many were connected.
        package var refused = 0
        /// Clients that were disconnected because they were idle.
        package var timedOut = 0
        /// The time since the session began, by its clock.
        public var time = Duration.zero
        /// The last step of the script that was performed, with its line, if any.
        public var step: String?
        /// The number of commands that clients have sent.
        package private(set) var requestCount = 0
        /// The latest commands, at most `requestLimit` of them, in the order of their arrival.
        public private(set) var requests: [Request] = []
        /// The number of commands that are kept.
        package static let requestLimit = 64

        mutating func append(_ request: Request) {
            requestCount += 1
            if requests.count == Self.requestLimit { requests.removeFirst() }
            requests.append(request)
        }
    }

    /// The port of the server.
    public let port: UInt16
    /// Whether only this machine can connect.
    package let isLoopback: Bool
    private let mailbox: StandInServer.Mailbox
    private let thread: NativeThread

    /// Starts a stand-in that accepts clients when this returns.
    ///
    /// - Parameters:
    ///   - session: The session to play.
    ///   - settings: The address, the pace and the faults.
    ///   - now: The time of day, for shifted times and for `?POLL;`.
    /// - Throws: A `LocationError` with the code `system` if the port cannot be used.
    public convenience init(
        _ session: StandInRecording, settings: Settings = Settings(), now: (@Sendable () -> Timestamp)? = nil
    ) throws(LocationError) {
        do throws(SystemFailure) {
            try self.init(serving: session, settings, now: now ?? { Timestamp.now })
        } catch {
            throw .system(cause: error.description)
        }
    }

    package init(
        serving session: StandInRecording, _ settings: Settings,
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now },
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemFailure) {
        mailbox = try StandInServer.Mailbox(Progress())
        let server = try StandInServer(session: session, settings: settings, mailbox: mailbox, now: now, say: say)
        port = server.port
        isLoopback = server.isLoopback
        thread = try NativeThread { server.serve() }
    }

    deinit { stop() }

    /// Closes all connections and releases the port.
    public func stop() {
        thread.join { mailbox.send { $0.stop() } }
    }

    /// Plays the next lines to watching clients; returns when they are sent or queued.
    public func send(lines count: Int = 1) { mailbox.send { $0.playByHand(count) } }

    /// Plays the rest of the session to watching clients; does nothing for a generated session, which has no end.
    public func sendRest() { mailbox.send { $0.playByHand(.max) } }

    /// Sends bytes that are not part of the session to watching clients.
    public func send(_ bytes: [UInt8]) { mailbox.send { $0.send(bytes) } }

    /// Sends the lines of a live session to the clients that watch them, as the daemon at their origin does.
    package func relay(_ lines: [UInt8]) { mailbox.send { $0.relay(lines) } }

    /// Tells clients that all devices are closed, because their origin is away, and forgets their positions.
    package func loseDevices() { mailbox.send { $0.loseDevices() } }

    /// Closes all connections, abruptly if `reset` is set; new ones are accepted.
    public func hangUp(reset: Bool = false) { mailbox.send { $0.hangUp(reset: reset) } }

    /// Replaces the faults of the server.
    package func setFaults(_ faults: [StandInFault]) { mailbox.send { $0.setFaults(faults) } }

    /// Performs a command, such as `lose`, `jump 3km`, `fault garbage=20` or `step 1h`, and waits until it is done.
    ///
    /// - Parameter command: The command, in the words of a script and of the control port.
    /// - Returns: The answer, as JSON.
    /// - Throws: A `LocationError` with the code `script`, whose message names the step at which the script stands.
    @discardableResult
    public func perform(_ command: String) async throws(LocationError) -> String {
        let reply = try send(command)
        while true {
            if let result = reply.result { return try result.get() }
            do { try await Task.sleep(for: .milliseconds(2)) } catch { throw .cancelled }
        }
    }

    /// Performs a command, and blocks the calling thread until it is done.
    ///
    /// - Parameter command: The command, in the words of a script and of the control port.
    /// - Returns: The answer, as JSON.
    /// - Throws: A `LocationError` with the code `script`, whose message names the step at which the script stands.
    @available(*, noasync, message: "In a task, await the overload that does not block.")
    @discardableResult
    public func perform(_ command: String) throws(LocationError) -> String {
        return try send(command).wait().get()
    }

    private func send(_ command: String) throws(LocationError) -> StandInReply {
        let reply: StandInReply
        do throws(SystemFailure) { reply = try StandInReply() } catch { throw .script("\(command): \(error)") }
        let isSent = mailbox.send { $0.perform(command, .reply(reply)) }
        if !isSent { throw .script("\(command): the stand-in has stopped") }
        return reply
    }

    /// The counts of what has happened so far.
    public var progress: Progress { mailbox.progress }

    /// Waits until the progress meets a condition; returns false if it did not within the time limit, in which only pauses count.
    ///
    /// In a task it suspends the task, so that a test does not occupy a thread that the code under test needs.
    public func wait(
        within limit: Duration = .seconds(10), until isSo: @Sendable (Progress) -> Bool
    ) async -> Bool {
        var waited = Duration.zero
        while !isSo(progress) {
            guard waited < limit, !Task.isCancelled else { return false }
            try? await Task.sleep(for: .milliseconds(5))
            waited += .milliseconds(5)
        }
        return true
    }

    /// Blocks the calling thread until the progress meets a condition; returns false if it did not within the time limit, in which
    /// only pauses count.
    @available(*, noasync, message: "In a task, await the overload that does not block.")
    public func wait(within limit: Duration = .seconds(10), until isSo: (Progress) -> Bool) -> Bool {
        var waited = Duration.zero
        while !isSo(progress) {
            guard waited < limit else { return false }
            usleep(1000)
            waited += .milliseconds(1)
        }
        return true
    }
}

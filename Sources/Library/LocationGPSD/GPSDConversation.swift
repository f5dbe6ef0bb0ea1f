import Glibc
import LocationCore
import GPSDProtocol
import LocwatchSupport

/// The protocol of one connection to a gpsd: the greeting, the watch, the reports, and the questions after a silence.
///
/// It has no socket and no clock: bytes and moments go in, updates and commands come out. It cannot be copied, because its owner asks
/// it for its deadline before each wait.
struct GPSDConversation: ~Copyable {
    /// The maximum number of bytes for one call of `hear`; fewer mean that nothing more is buffered.
    static let longestChunk = 65_536
    /// The maximum number of bytes until the end of the first line.
    private static let longestOpening = 65_536
    /// The maximum number of devices whose cycles are kept.
    private static let mostCycles = 64
    /// The maximum length of the quote of an answer that is not gpsd's.
    private static let quoted = 80

    private let endpoint: GPSDEndpoint
    private let connection: LiveConnection
    private let timeouts: ConnectionTimeouts
    /// The interval of the questions for the receivers, if any; the next one is due at `questionDue`.
    private let deviceInterval: Duration?
    private var questionDue: Moment?
    /// The requests of the client about a receiver, if it makes any.
    private let control: ReceiverControl?
    /// The paths of the devices that have names instead in the reports.
    private let paths: [String: String]
    private var stream: GPSDStream
    /// The bytes received before the first line is complete, without the blanks before it, or `nil` after it.
    private var opening: [UInt8]? = []
    /// The number of those bytes, with the blanks.
    private var openingCount = 0
    private var greetingDue: Moment
    /// The moment at which the missing greeting is reported, unless bytes arrive before.
    private var doubtDue: Moment?
    private var silence: SilenceWatch
    private var pause: PauseWatch
    private var commands = ""
    private var countRequest: (path: String, time: Duration)?
    /// The daemon's devices that were found on this machine; behind a tunnel there are none.
    private var devices: Set<String> = []
    /// The cycles of the daemon's devices that have one, of which the longest decides how long a silence is none.
    private var cycles: [String: Duration] = [:]
    /// The members of `devices` that were found missing.
    private var lost: Set<String> = []
    /// Whether gpsd is asked for the pulses, too.
    private let includesClock: Bool
    /// Whether a receiver has reported over this connection.
    private(set) var hasReceivedReports = false
    /// The moment at which `expire` has something to do, unless data arrives before.
    ///
    /// It is stored, because a computed one copies the conversation.
    private(set) var deadline: Moment
    /// The moment of the last look for a pause of the process.
    private var looked: Moment?

    /// The work that a turn leaves to the owner.
    struct Remainder {
        /// The commands to send, in one piece, because gpsd misreads a command that comes in two.
        var commands: String?
        /// The request to count the bytes of a device at a path within a time.
        var countRequest: (path: String, time: Duration)?
        var hasReceivedReports = false
        var isOpen = false
        var deadline: Moment
    }

    /// - Parameters:
    ///   - device: The name of the endpoint's device in the reports, if another than that in the endpoint.
    ///   - paths: The paths of the devices that have names instead in the reports.
    init(
        _ endpoint: GPSDEndpoint, for request: LocationRequest = .everything,
        options: SessionOptions = SessionOptions(), device: String? = nil, paths: [String: String] = [:],
        now: Moment
    ) {
        self.endpoint = endpoint
        var connection = LiveConnection(
            to: "\(endpoint)", device: device ?? endpoint.device,
            pattern: endpoint.device == nil ? request.device : nil,
            isLocal: endpoint.isLocal, paths: paths)
        connection.isSimulated = options.isSimulated
        self.connection = connection
        stream = GPSDStream(
            of: connection, listsSatellites: options.listsSatellites, includesLines: request.includesLines)
        timeouts = options.timeouts
        deviceInterval = request.deviceInterval
        control = request.control
        self.paths = paths
        includesClock = request.includesClock
        greetingDue = now.advanced(by: timeouts.greeting)
        doubtDue = now.advanced(by: timeouts.greetingDoubt)
        silence = SilenceWatch(timeouts: timeouts, now: now)
        pause = PauseWatch(at: now)
        deadline = now
        updateDeadline()
    }

    private mutating func updateDeadline() {
        guard opening == nil else {
            deadline = doubtDue.map { min($0, greetingDue) } ?? greetingDue
            return
        }
        deadline = min(pause.deadline, silence.deadline)
        if let epoch = stream.deadline { deadline = min(deadline, epoch) }
        if let questionDue { deadline = min(deadline, questionDue) }
    }

    /// Processes bytes that the daemon has sent, if any, and performs the actions that are due.
    mutating func turn(
        hearing chunk: UnsafeRawBufferPointer?, at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) -> Remainder {
        if let chunk { try hear(chunk, at: moment, into: &updates) }
        try expire(at: moment, into: &updates)
        return Remainder(
            commands: takeCommands(), countRequest: countRequest.take(), hasReceivedReports: hasReceivedReports,
            isOpen: isOpen, deadline: deadline)
    }

    /// Processes bytes that the daemon has sent.
    mutating func hear(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        resume(at: moment)
        defer {
            pause.read(mayHoldMore: chunk.count >= Self.longestChunk)
            updateDeadline()
        }
        guard opening != nil else {
            silence.heardDaemon()
            read(chunk, at: moment, into: &updates)
            return
        }
        doubtDue = nil
        openingCount += chunk.count
        // In place, because a copy for each of many small chunks would take a processor.
        if opening?.isEmpty == true {
            opening?.append(contentsOf: chunk.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D })
        } else {
            opening?.append(contentsOf: chunk)
        }
        guard let opening, try hasGreeted(opening) else { return }
        self.opening = nil
        silence = SilenceWatch(timeouts: timeouts, now: moment)
        questionDue = deviceInterval.map { moment.advanced(by: $0) }
        // The list before the watch and the one in its answer together show which devices could not be opened.
        commands += "?DEVICES;\n" + watch
        opening.withUnsafeBytes { read($0, at: moment, into: &updates) }
    }

    /// Processes the end of the connection: appends the epochs that are held, and reports an incomplete last line.
    mutating func end(at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) {
        guard opening == nil else { return }
        stream.finish(at: moment)
        stream.moveUpdates(to: &updates)
    }

    /// Performs the actions that are due.
    mutating func expire(at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) {
        resume(at: moment)
        defer { updateDeadline() }
        if let opening {
            if moment >= greetingDue { throw notGPSD(opening) }
            if let due = doubtDue, moment >= due {
                doubtDue = nil
                updates.append(LocationUpdate(.searching(.unanswered), at: moment))
            }
            return
        }
        stream.expire(at: moment)
        stream.moveUpdates(to: &updates)
        if let due = questionDue, let deviceInterval, moment >= due {
            commands += "?DEVICES;\n"
            questionDue = moment.advanced(by: deviceInterval)
        }
        for (request, device) in control?.takeRequests() ?? [] {
            if case .countBytes(let time) = request { countRequest = (paths[device] ?? device, time) }
            commands += request.commands(for: paths[device] ?? device) ?? ""
        }
        while let action = silence.expire(at: moment) {
            switch action {
            case .giveUp: throw broken("it does not answer any more")
            case .ask(let isFirst): ask(isFirst: isFirst, at: moment, into: &updates)
            }
        }
    }

    /// Restarts all deadlines if the process was paused, because nothing could be received in the meantime.
    private mutating func resume(at moment: Moment) {
        // Nothing was missed since the last look at the same moment.
        guard looked != moment else { return }
        looked = moment
        guard pause.run(at: moment, due: deadline) else { return }
        greetingDue = moment.advanced(by: timeouts.greeting)
        if doubtDue != nil { doubtDue = moment.advanced(by: timeouts.greetingDoubt) }
        silence.resume(at: moment)
    }

    /// Asks the daemon about its silent devices, unless one of them is missing on this machine.
    private mutating func ask(isFirst: Bool, at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) {
        let away = devices.filter(connection.hasLost)
        guard away.isEmpty || !GPSDQuirks.freesMissingWhenAsked else {
            silence.isMissing = true
            // Nothing was asked, so no answer is due; the system reports the end of a daemon on this machine.
            silence.heardDaemon()
            for path in away.subtracting(lost).sorted() {
                updates.append(LocationUpdate(.searching(.deviceLost(path: path), device: path), at: moment))
            }
            lost = away
            return
        }
        commands += isFirst && lost.isEmpty ? "?DEVICES;\n" : GPSDQuirks.wakingCommand + watch
        lost = []
    }

    /// Whether the daemon has greeted, so that requests of the client are sent.
    var isOpen: Bool { opening == nil }

    /// Returns and removes the commands to send.
    mutating func takeCommands() -> String? {
        guard !commands.isEmpty else { return nil }
        defer { commands = "" }
        return commands
    }

    /// Returns the error for the loss of this connection.
    func broken(_ cause: String) -> LocationError {
        endpoint.connectionLost(opening == nil ? cause : "\(cause) before it had greeted")
    }

    private var watch: String {
        let device = endpoint.device.map { #","device":"# + JSONText.quoted($0) } ?? ""
        return #"?WATCH={"enable":true,"json":true"# + (includesClock ? #","pps":true"# : "") + device + "};\n"
    }

    /// Returns whether the first line is complete and is gpsd's greeting; throws if it is not gpsd's.
    private func hasGreeted(_ opening: [UInt8]) throws(LocationError) -> Bool {
        guard openingCount <= Self.longestOpening, opening.first ?? UInt8(ascii: "{") == UInt8(ascii: "{") else {
            throw notGPSD(opening)
        }
        guard let end = opening.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        var decoder = ReportDecoder()
        do throws(ReportError) {
            if case .version = try decoder.decode(Array(opening[..<end])) { return true }
        } catch {}
        throw notGPSD(opening)
    }

    private func notGPSD(_ opening: [UInt8]) -> LocationError {
        let line = opening.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(Self.quoted)
        return .notGPSD(host: endpoint.host, port: endpoint.port, answer: String(decoding: line, as: UTF8.self))
    }

    private mutating func read(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) {
        var heard = (receiver: false, missing: false)
        var present: [String] = []
        stream.feed(chunk, at: moment, isBacklog: pause.isReadingBacklog)
        while let update = stream.next() {
            switch update.event {
            case .receiver, .clock, .searching(.noFix, _): heard.receiver = true
            case .searching(.deviceLost, _): heard.missing = true
            case .device(let status):
                let isAway = status.activity == .gone || status.activity == .unopenable
                note(isAway ? nil : status.cycle, of: status.path)
                if connection.has(status.path) { present.append(status.path) }
            case .location, .satellites, .attitude, .searching, .failure, .authorization, .line, .notice, .other: break
            }
            updates.append(update)
        }
        if !present.isEmpty { devices.formUnion(present) }
        if heard.receiver || stream.hasParts { noteReceiver(at: moment) }
        if heard.missing { silence.isMissing = true }
    }

    /// Notes the cycle of a device, if it has one; those of invented devices beyond a number are ignored.
    private mutating func note(_ cycle: Duration?, of path: String) {
        guard cycles[path] != cycle, cycle == nil || cycles.count < Self.mostCycles else { return }
        cycles[path] = cycle
        silence.cycle = cycles.values.max()
    }

    /// Notes that a receiver has reported.
    private mutating func noteReceiver(at moment: Moment) {
        hasReceivedReports = true
        if !lost.isEmpty { lost = [] }
        silence.heardReceiver(at: moment)
    }
}

import GPSDReports
import Glibc
import LocationCore

/// The protocol of one connection to a gpsd: the greeting, the watch, the reports, and the questions after a silence.
///
/// It has no socket and no clock: bytes and moments go in, updates and commands come out.
struct GPSDConversation: Sendable {
    /// The maximum number of bytes for one call of `hear`; fewer mean that nothing more is buffered.
    static let longestChunk = 65_536
    /// The maximum length of the quote of an answer that is not gpsd's.
    private static let quoted = 80
    /// The maximum number of devices in the message about an unknown one.
    private static let listedLimit = 8

    private let endpoint: GPSDEndpoint
    private let timeouts: ConnectionTimeouts
    /// The interval of the questions for the receivers, if any; the next one is due at `questionDue`.
    private let deviceInterval: Duration?
    private var questionDue: Moment?
    /// Whether to ask for comparisons of the clocks.
    private let includesTiming: Bool
    private var reader: SessionReader
    /// The bytes received before the first line is complete, or `nil` after it.
    private var opening: [UInt8]? = []
    private var greetingDue: Moment
    private var silence: SilenceWatch
    private var pause = PauseWatch()
    private var commands = ""
    private var isAuthorized = false
    /// The devices that the daemon has listed, for the message about an unknown one.
    private var listed: [String] = []
    /// The daemon's devices that were found on this machine; behind a tunnel there are none.
    private var devices: Set<String> = []
    /// The members of `devices` that were found missing.
    private var lost: Set<String> = []
    /// Whether a receiver has reported over this connection.
    private(set) var hasReceivedReports = false

    init(
        _ endpoint: GPSDEndpoint, for request: LocationRequest = .everything,
        options: SessionOptions = SessionOptions(),
        now: Moment
    ) {
        self.endpoint = endpoint
        reader = SessionReader(
            timing: .arrival, listsSatellites: options.listsSatellites, includesLines: request.includesLines)
        timeouts = options.timeouts
        deviceInterval = request.deviceInterval
        includesTiming = request.includesTiming
        greetingDue = now.advanced(by: timeouts.greeting)
        silence = SilenceWatch(timeouts: timeouts, now: now)
    }

    /// The moment at which `expire` has something to do, unless data arrives before.
    var deadline: Moment {
        guard opening == nil else { return greetingDue }
        return questionDue.map { min($0, silence.deadline) } ?? silence.deadline
    }

    /// Processes bytes that the daemon has sent.
    mutating func hear(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, _ emit: (LocationUpdate) -> Void
    ) throws(LocationError) {
        resume(at: moment)
        defer { pause.read(mayHoldMore: chunk.count >= Self.longestChunk) }
        guard var opening else {
            silence.heardDaemon()
            read(chunk, at: moment, emit)
            return
        }
        opening.append(contentsOf: chunk)
        self.opening = opening
        guard try hasGreeted(opening) else { return }
        self.opening = nil
        silence = SilenceWatch(timeouts: timeouts, now: moment)
        questionDue = deviceInterval.map { moment.advanced(by: $0) }
        // The list before the watch and the one in its answer together show which devices could not be opened.
        commands += "?DEVICES;\n" + watch
        opening.withUnsafeBytes { read($0, at: moment, emit) }
    }

    /// Processes the end of the connection, and reports an incomplete last line.
    mutating func end(at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        guard opening == nil else { return }
        reader.finish(arrival: moment, emit)
    }

    /// Performs the actions that are due.
    mutating func expire(at moment: Moment, _ emit: (LocationUpdate) -> Void) throws(LocationError) {
        resume(at: moment)
        if let opening {
            if moment >= greetingDue { throw notGPSD(opening) }
            return
        }
        if let due = questionDue, let deviceInterval, moment >= due {
            commands += "?DEVICES;\n"
            questionDue = moment.advanced(by: deviceInterval)
        }
        while let action = silence.expire(at: moment) {
            switch action {
            case .giveUp: throw broken("it does not answer any more")
            case .ask(let isFirst): ask(isFirst: isFirst, at: moment, emit)
            }
        }
    }

    /// Restarts all deadlines if the process was paused, because nothing could be received in the meantime.
    private mutating func resume(at moment: Moment) {
        guard pause.run(at: moment, due: deadline) else { return }
        greetingDue = moment.advanced(by: timeouts.greeting)
        silence.resume(at: moment)
    }

    /// Asks the daemon about its silent devices, unless one of them is missing on this machine.
    ///
    /// gpsd 3.22 frees a missing device as soon as a client asks it anything, and then the device never comes back.
    /// Without questions it reopens the device, up to 64 seconds later, when a client polls and watches.
    private mutating func ask(isFirst: Bool, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        let away = devices.filter(endpoint.hasLost)
        guard away.isEmpty else {
            silence.isMissing = true
            // Nothing was asked, so no answer is due; the system reports the end of a daemon on this machine.
            silence.heardDaemon()
            for path in away.subtracting(lost).sorted() {
                emit(LocationUpdate(.searching(.deviceLost(path: path), device: path), at: moment))
            }
            lost = away
            return
        }
        commands += isFirst && lost.isEmpty ? "?DEVICES;\n" : "?POLL;\n" + watch
        lost = []
    }

    /// Whether there are commands to send.
    var hasCommands: Bool { !commands.isEmpty }

    /// Returns and removes the commands to send, in one piece, because gpsd misreads a command that comes in two.
    mutating func takeCommands() -> String? {
        guard !commands.isEmpty else { return nil }
        defer { commands = "" }
        return commands
    }

    /// Returns the error for the loss of this connection.
    func broken(_ cause: String) -> LocationError {
        opening == nil
            ? .connectionLost(host: endpoint.host, port: endpoint.port, cause: cause)
            : .connectionLost(
                host: endpoint.host, port: endpoint.port, cause: "\(cause) before it had greeted")
    }

    private var watch: String {
        let device = endpoint.device.map { #","device":"# + JSONText.quoted($0) } ?? ""
        let timing = includesTiming ? #","pps":true"# : ""
        return #"?WATCH={"enable":true,"json":true"# + timing + device + "};\n"
    }

    /// Returns whether the first line is complete and is gpsd's greeting; throws if it is not gpsd's.
    private func hasGreeted(_ opening: [UInt8]) throws(LocationError) -> Bool {
        let text = opening.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }
        guard let first = text.first else { return false }
        guard first == UInt8(ascii: "{"), opening.count <= 65_536 else { throw notGPSD(opening) }
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        var decoder = ReportDecoder()
        do throws(ReportError) {
            if case .version = try decoder.decode(Array(text[..<end])) { return true }
        } catch {}
        throw notGPSD(opening)
    }

    private func notGPSD(_ opening: [UInt8]) -> LocationError {
        let line = opening.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(Self.quoted)
        return .notGPSD(host: endpoint.host, port: endpoint.port, answer: String(decoding: line, as: UTF8.self))
    }

    private mutating func read(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, _ emit: (LocationUpdate) -> Void
    ) {
        var heard = (receiver: false, missing: false)
        var cycle: Duration?
        let endpoint = endpoint
        var isAuthorized = isAuthorized
        var present: [String] = []
        var listed = listed
        let isBacklog = pause.isReadingBacklog
        reader.read(chunk, arrival: moment) { update in
            var update = update
            // The lists of devices and the answer to `?POLL;` cover every receiver, regardless of the watched one.
            guard endpoint.isWatched(update.event) else { return }
            switch update.event {
            case .location(var location) where isBacklog:
                location.isLate = true
                update.event = .location(location)
                heard.receiver = true
            case .location, .satellites, .receiver, .searching(.noFix, _): heard.receiver = true
            case .searching(.deviceSilent(let path), let device) where endpoint.hasLost(path):
                // gpsd 3.22 lists an unplugged device as if it were only silent.
                update.event = .searching(.deviceLost(path: path), device: device)
                heard.missing = true
            case .searching(.deviceLost, _): heard.missing = true
            case .device(let status):
                cycle = max(status.cycle ?? .zero, cycle ?? .zero)
                if endpoint.has(status.path) { present.append(status.path) }
                if listed.count < Self.listedLimit, !listed.contains(status.path) { listed.append(status.path) }
            case .failure(.deviceUnknown(let path, _), let retry):
                emit(LocationUpdate(.authorization(.denied), at: moment))
                update.event = .failure(.deviceUnknown(path: path, known: listed), retry: retry)
            case .searching(.deviceUnopenable, _), .failure(.deviceUnusable, _):
                emit(LocationUpdate(.authorization(.denied), at: moment))
            case .authorization(let status): isAuthorized = status == .authorized
            case .notice(.message(let message)) where !isAuthorized:
                // Before the watch is answered, it is the only command that gpsd can have refused.
                emit(LocationUpdate(.authorization(.denied), at: moment))
                update.event = .failure(.denied(what: "the watch of \(endpoint)", cause: message))
            case .searching, .failure, .line, .notice: break
            }
            emit(update)
        }
        self.isAuthorized = isAuthorized
        self.listed = listed
        if !present.isEmpty { devices.formUnion(present) }
        if let cycle { silence.cycle = cycle }
        if heard.receiver {
            hasReceivedReports = true
            if !lost.isEmpty { lost = [] }
            silence.heardReceiver(at: moment)
        }
        if heard.missing { silence.isMissing = true }
    }
}

extension GPSDEndpoint {
    /// Returns whether an event concerns the watched device; the presence of other devices is reported too.
    fileprivate func isWatched(_ event: LocationEvent) -> Bool {
        guard let device, let other = event.device, other != device else { return true }
        return if case .device = event { true } else { false }
    }

    /// Returns whether a device exists on this machine.
    fileprivate func has(_ path: String) -> Bool {
        isLocal && path.hasPrefix("/") && access(path, F_OK) == 0
    }

    /// Returns whether a device of this machine no longer exists.
    fileprivate func hasLost(_ path: String) -> Bool {
        isLocal && path.hasPrefix("/") && access(path, F_OK) != 0 && errno == ENOENT
    }
}

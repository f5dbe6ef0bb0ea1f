import GPSDReports
import Glibc
import LocationCore

/// What is said over one connection to a gpsd: its greeting, the watch, the reports, and the questions after a silence.
///
/// Knows no socket and no clock: bytes and moments come in, updates and commands come out.
struct GPSDConversation: Sendable {
    /// The most bytes that `hear` is given at once; fewer mean that nothing more is buffered.
    static let longestChunk = 65_536
    /// The most of an answer that is quoted when it is not gpsd's.
    private static let quoted = 80

    private let endpoint: GPSDEndpoint
    private let patience: LivePatience
    private var reader: SessionReader
    /// What came before the first line was whole; `nil` after it.
    private var opening: [UInt8]? = []
    private var greetingDue: Moment
    private var silence: SilenceWatch
    private var pause = PauseWatch()
    private var commands = ""
    private var isAuthorized = false
    /// The daemon's devices that were seen on this machine; behind a tunnel none of them is.
    private var devices: Set<String> = []
    /// Those of them that were seen to be away.
    private var lost: Set<String> = []
    /// Whether a receiver has reported over this connection.
    private(set) var isFruitful = false

    init(_ endpoint: GPSDEndpoint, listsSatellites: Bool = true, patience: LivePatience, now: Moment) {
        self.endpoint = endpoint
        reader = SessionReader(timing: .arrival, listsSatellites: listsSatellites)
        self.patience = patience
        greetingDue = now.advanced(by: patience.greeting)
        silence = SilenceWatch(patience: patience, now: now)
    }

    /// When `expire` has something to do, if nothing is heard before.
    var deadline: Moment { opening == nil ? silence.deadline : greetingDue }

    /// Takes in what the daemon has sent.
    mutating func hear(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, _ tell: (LocationUpdate) -> Void
    ) throws(LocationError) {
        resume(at: moment)
        defer { pause.read(mayHoldMore: chunk.count >= Self.longestChunk) }
        guard var opening else {
            silence.heardDaemon()
            read(chunk, at: moment, tell)
            return
        }
        opening.append(contentsOf: chunk)
        self.opening = opening
        guard try hasGreeted(opening) else { return }
        self.opening = nil
        silence = SilenceWatch(patience: patience, now: moment)
        // The list before the watch and the one in its answer together show which devices could not be opened.
        commands += "?DEVICES;\n" + watch
        opening.withUnsafeBytes { read($0, at: moment, tell) }
    }

    /// The connection has ended: what is left of a line is told of.
    mutating func end(at moment: Moment, _ tell: (LocationUpdate) -> Void) {
        guard opening == nil else { return }
        reader.finish(arrival: moment, tell)
    }

    /// Does what is due.
    mutating func expire(at moment: Moment, _ tell: (LocationUpdate) -> Void) throws(LocationError) {
        resume(at: moment)
        if let opening {
            if moment >= greetingDue { throw notGPSD(opening) }
            return
        }
        while let action = silence.expire(at: moment) {
            switch action {
            case .giveUp: throw broken("it does not answer any more")
            case .ask(let isFirst): ask(isFirst: isFirst, at: moment, tell)
            }
        }
    }

    /// Starts all deadlines anew if the process was paused, because nothing could be heard in the meantime.
    private mutating func resume(at moment: Moment) {
        guard pause.run(at: moment, due: deadline) else { return }
        greetingDue = moment.advanced(by: patience.greeting)
        silence.resume(at: moment)
    }

    /// gpsd 3.22 frees a device that is away as soon as anybody asks it anything, and then the device never comes back;
    /// left alone it takes the device up again, up to 64 seconds later, when somebody polls and watches.
    private mutating func ask(isFirst: Bool, at moment: Moment, _ tell: (LocationUpdate) -> Void) {
        let away = devices.filter(endpoint.hasLost)
        guard away.isEmpty else {
            silence.isMissing = true
            // Nothing was asked: a daemon of this machine that ends is told of by the system.
            silence.heardDaemon()
            for path in away.subtracting(lost).sorted() {
                tell(LocationUpdate(.searching(.deviceLost(path: path), device: path), at: moment))
            }
            lost = away
            return
        }
        commands += isFirst && lost.isEmpty ? "?DEVICES;\n" : "?POLL;\n" + watch
        lost = []
    }

    /// Has the daemon asked what its receivers do; it tells of little unasked.
    mutating func askForDevices() {
        if opening == nil { commands += "?DEVICES;\n" }
    }

    /// Whether something is to be sent.
    var hasCommands: Bool { !commands.isEmpty }

    /// What is to be sent, in one piece, as gpsd misreads a command that comes in two.
    mutating func takeCommands() -> String? {
        guard !commands.isEmpty else { return nil }
        defer { commands = "" }
        return commands
    }

    /// The failure of a connection that was there.
    func broken(_ cause: String) -> LocationError {
        opening == nil
            ? .connectionLost(host: endpoint.host, port: endpoint.port, cause: cause)
            : .connectionLost(
                host: endpoint.host, port: endpoint.port, cause: "\(cause) before it had greeted")
    }

    private var watch: String {
        let device = endpoint.device.map { #","device":"# + JSONText.quoted($0) } ?? ""
        return #"?WATCH={"enable":true,"json":true"# + device + "};\n"
    }

    /// Whether the first line is there and is gpsd's greeting.
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
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, _ tell: (LocationUpdate) -> Void
    ) {
        var heard = (receiver: false, missing: false)
        var cycle: Duration?
        let endpoint = endpoint
        var isAuthorized = isAuthorized
        var present: [String] = []
        let isBacklog = pause.isReadingBacklog
        reader.read(chunk, arrival: moment) { update in
            var update = update
            // The lists of devices and the answer to ?POLL; tell of every receiver, whichever is watched.
            guard endpoint.isWatched(update.event) else { return }
            switch update.event {
            case .location(var location) where isBacklog:
                location.isLate = true
                update.event = .location(location)
                heard.receiver = true
            case .location, .satellites, .searching(.noFix, _): heard.receiver = true
            case .searching(.deviceSilent(let path), let device) where endpoint.hasLost(path):
                // gpsd 3.22 lists a device that was pulled out as if it were only silent.
                update.event = .searching(.deviceLost(path: path), device: device)
                heard.missing = true
            case .searching(.deviceLost, _): heard.missing = true
            case .device(let status):
                cycle = max(status.cycle ?? .zero, cycle ?? .zero)
                if endpoint.has(status.path) { present.append(status.path) }
            case .searching(.deviceUnopenable, _), .failure(.deviceUnknown), .failure(.deviceUnusable):
                tell(LocationUpdate(.authorization(.denied), at: moment))
            case .authorization(let status): isAuthorized = status == .authorized
            case .notice(.message(let message)) where !isAuthorized:
                // Nothing but the watch can have been refused before it was answered.
                tell(LocationUpdate(.authorization(.denied), at: moment))
                update.event = .failure(.denied(what: "the watch of \(endpoint)", cause: message))
            case .searching, .failure, .notice: break
            }
            tell(update)
        }
        self.isAuthorized = isAuthorized
        if !present.isEmpty { devices.formUnion(present) }
        if let cycle { silence.cycle = cycle }
        if heard.receiver {
            isFruitful = true
            if !lost.isEmpty { lost = [] }
            silence.heardReceiver(at: moment)
        }
        if heard.missing { silence.isMissing = true }
    }
}

extension GPSDEndpoint {
    /// Whether an event is about what is watched; that a receiver is there may always be known.
    fileprivate func isWatched(_ event: LocationEvent) -> Bool {
        guard let device, let other = event.device, other != device else { return true }
        return if case .device = event { true } else { false }
    }

    /// Whether a device is there on this machine.
    fileprivate func has(_ path: String) -> Bool {
        isLocal && path.hasPrefix("/") && access(path, F_OK) == 0
    }

    /// Whether a device of this machine is not there any more.
    fileprivate func hasLost(_ path: String) -> Bool {
        isLocal && path.hasPrefix("/") && access(path, F_OK) != 0 && errno == ENOENT
    }
}

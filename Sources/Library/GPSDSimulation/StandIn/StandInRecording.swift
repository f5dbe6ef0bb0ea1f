public import LocationCore
package import GPSDProtocol
package import LocwatchPlatform

/// A recorded session for a stand-in to play: gpsd's unchanged lines and their arrival times.
///
/// It reads gpsd's JSON as clients receive it, with or without `gpspipe`'s time stamps, and locwatch's own recordings.
public struct StandInRecording: Sendable {
    /// The recipients and the effect of a line.
    enum LineKind: Hashable, Sendable {
        /// Goes to every client that watches JSON.
        case report
        /// Goes to clients that asked for the timing of the pulse.
        case pulse
        /// Goes to clients that asked for NMEA.
        case sentence
        /// Goes to every client that watches JSON, and updates the state of its device.
        case device
        /// Is not sent, because it was an answer, and updates the state of all devices.
        case devices
    }

    /// The classes of which gpsd caches the last report of each device.
    enum Polled: String, Sendable { case tpv = "TPV", gst = "GST", sky = "SKY" }

    struct Line: Sendable {
        /// The line without its time stamp and its line end.
        var bytes: ArraySlice<UInt8>
        var kind: LineKind
        var device: String?
        /// The arrival time, or `nil` before the first time in the recording.
        var moment: Moment?
        /// The class under which `?POLL;` repeats the line, if any.
        var polled: Polled?
        /// Whether the line is the report of an attitude, of which sentences are made as of the polled ones.
        var isAttitude = false

        /// Whether a line of this kind can give NMEA sentences.
        var hasSentences: Bool { polled != nil || isAttitude }

        var isSent: Bool { kind != .devices }

        /// Whether the line is a sentence of a receiver, and not one of AIS, which begins with `!`.
        var isNMEA: Bool { kind == .sentence && bytes.first == UInt8(ascii: "$") }
    }

    /// The maximum length of a line; longer lines are skipped.
    private static let lengthLimit = 1 << 20
    /// The number of bytes that a compressed recording, a log or a track may become.
    private static let expandedLimit = 32 << 20
    /// The memory in bytes that the lines of any recording may need beside it, and the multiple of the recording's size.
    private static let memoryLimit = (bytes: 96 << 20, ratio: 2)

    fileprivate(set) var lines: [Line] = []
    /// gpsd's `VERSION` report, if the recording has one.
    fileprivate(set) var version: ArraySlice<UInt8>?
    /// The devices of the first list, or those that the reports name if there is no list.
    fileprivate(set) var devices: [StandInDevices.ServedDevice]
    /// The first time by a receiver's clock.
    fileprivate(set) var firstTime: Timestamp?
    /// The first `activated` time of a device, by the clock of gpsd's host.
    fileprivate(set) var firstActivated: Timestamp?
    /// The reports of a simulated receiver, which are generated instead of lines.
    let simulation: SimulatedReports?

    /// Reads a recording from its bytes; messages refer to it by `name`.
    public init(_ recording: [UInt8], name: String = "recording") throws(LocationError) {
        let limit = max(Self.memoryLimit.bytes, Self.memoryLimit.ratio * recording.count)
        var gatherer = SessionGatherer(of: recording)
        try recording.withUnsafeBufferPointer { (recording) throws(LocationError) in
            let bytes = UnsafeRawBufferPointer(recording)
            // An array that grows needs its old memory and more than the new one at the same time.
            gatherer.reserve(lines: bytes.count { $0 == UInt8(ascii: "\n") } + 1, memory: limit)
            var reader = LineReader(limit: Self.lengthLimit)
            var place = 0
            while let line = reader.next(in: bytes, from: &place) ?? reader.last() {
                gatherer.process(line)
                // Before the memory is used.
                guard gatherer.memory <= limit else {
                    throw .damaged(path: name, cause: "it has too many short lines to be played from memory")
                }
            }
        }
        guard gatherer.tally.isSession else {
            throw gatherer.tally.noSession(named: name, isEmpty: recording.isEmpty)
        }
        self = gatherer.session
        if !gatherer.hasList { devices = gatherer.namedDevices }
    }

    /// Creates a session without lines, to which lines are added while it is served.
    package init() { self.init(devices: [], nil) }

    /// Creates an endless session of a simulated receiver, whose reports are generated without a gpsd.
    ///
    /// - Parameters:
    ///   - receiver: The behaviour of the receiver.
    ///   - seed: The seed of all random values; the same seed gives the same reports at the same times.
    public init(_ receiver: ReceiverScenario, seed: UInt64 = 1) {
        self.init(
            devices: [StandInDevices.ServedDevice(named: SimulatedReports.device)],
            SimulatedReports(receiver, seed: seed))
    }

    private init(devices: [StandInDevices.ServedDevice], _ simulation: SimulatedReports?) {
        self.devices = devices
        self.simulation = simulation
    }

    /// Reads a recording from a text.
    public init(_ recording: String) throws(LocationError) {
        try self.init(Array(recording.utf8))
    }

    /// Reads a recording from a file, or from standard input if the path is `-`; blocks until its end.
    public init(path: String) throws(LocationError) { try self.init(path: path, reading: InputReading()) }

    /// Reads a recording in a given way, until an event happens.
    package init(path: String, reading: InputReading, until stop: Event? = nil) throws(LocationError) {
        let input = try RecordingInput(path: path, reading: reading)
        defer { input.close() }
        try self.init(input.contents(expandedLimit: Self.expandedLimit, until: stop), name: input.name)
    }
}

/// A builder of a session from its lines.
struct SessionGatherer {
    /// Whether the lines are those of a live session, of which only whole reports are passed on.
    let isRelay: Bool
    private(set) var session = StandInRecording()
    /// Whether a line lists the devices.
    private(set) var hasList = false
    private(set) var tally = LineTally()
    /// The memory in bytes that the lines need.
    private(set) var memory = 0
    private var names: [String] = []
    private var known: Set<String> = []
    private var decoder = ReportDecoder()
    private var clock = RecordingClock()
    /// The recording, if the lines are parts of it.
    private let recording: [UInt8]
    /// The memory of a line besides its bytes.
    private static let lineMemory = MemoryLayout<StandInRecording.Line>.stride

    /// Creates a builder that copies the lines.
    init(isRelay: Bool = false) { (self.isRelay, recording) = (isRelay, []) }

    /// Creates a builder for the lines of a recording, which keeps that instead of copies of them.
    init(of recording: [UInt8]) { (isRelay, self.recording) = (false, recording) }

    /// Takes the memory for some lines at once, as far as they may need it.
    mutating func reserve(lines: Int, memory: Int) {
        session.lines.reserveCapacity(min(lines, memory / Self.lineMemory + 1))
    }

    /// Returns bytes as a part of the recording, or as a copy if they are none of it.
    private func kept(_ bytes: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
        recording.withUnsafeBytes { (whole) -> Int? in
            guard let start = whole.baseAddress, let first = bytes.baseAddress, first >= start,
                first + bytes.count <= start + whole.count
            else { return nil }
            return first - start
        }.map { (first) in recording[first..<first + bytes.count] } ?? Array(bytes)[...]
    }

    /// The devices that the reports name, for a recording without a list.
    var namedDevices: [StandInDevices.ServedDevice] {
        // The positions of a track have no device.
        if names.isEmpty, session.lines.contains(where: { $0.polled == .tpv }) {
            return [StandInDevices.ServedDevice(named: StandInDevices.unnamed)]
        }
        return names.map { StandInDevices.ServedDevice(named: $0) }
    }

    /// Returns and removes the lines so far.
    mutating func takeLines() -> [StandInRecording.Line] {
        defer { (session.lines, memory) = ([], 0) }
        return session.lines
    }

    mutating func process(_ line: LineReader.Line) {
        tally.noteLine()
        guard case .line(let bytes) = line else {
            tally.note(fault: "the line is too long")
            return
        }
        if bytes.isEmpty { return }
        let (stamp, json) = ArrivalStamp.part(bytes)
        do throws(ReportError) {
            let report = try decoder.decode(json)
            tally.note(report)
            clock.follow(report, stamp: stamp)
            process(report, kept(json))
        } catch {
            tally.note(fault: "\(error)")
            if !isRelay { process(unreadable: json) }
        }
    }

    private mutating func process(_ report: GPSDReport, _ bytes: ArraySlice<UInt8>) {
        switch report {
        case .mark, .watch, .poll: break
        case .version: session.version = session.version ?? bytes
        case .devices(let report):
            let list = StandInDevices.entries(of: report, in: bytes)
            if !hasList { (session.devices, hasList) = (list, true) }
            session.firstActivated = session.firstActivated ?? list.lazy.compactMap(\.activated).first
            add(bytes, .devices)
        case .device(let report):
            session.firstActivated = session.firstActivated ?? report.activated
            add(bytes, .device, report.path)
        case .pps(let report): add(bytes, .pulse, report.device)
        case .toff(let report): add(bytes, .pulse, report.device)
        case .tpv(let report): add(bytes, .report, report.device, report.time, .tpv)
        case .sky(let report): add(bytes, .report, report.device, report.time, .sky)
        case .gst(let report): add(bytes, .report, report.device, report.time, .gst)
        case .att(let report):
            add(bytes, .report, report.device)
            session.lines[session.lines.count - 1].isAttitude = true
        case .error, .other: add(bytes, .report)
        }
    }

    /// Adds malformed JSON of gpsd or NMEA; ignores anything else, which cannot come from gpsd.
    private mutating func process(unreadable bytes: UnsafeRawBufferPointer) {
        if bytes.first == UInt8(ascii: "{") {
            add(kept(bytes), .report)
        } else if let start = bytes.firstIndex(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") }) {
            add(kept(UnsafeRawBufferPointer(rebasing: bytes[start...])), .sentence)
        }
    }

    private mutating func add(
        _ bytes: ArraySlice<UInt8>, _ kind: StandInRecording.LineKind, _ device: String? = nil,
        _ time: Timestamp? = nil,
        _ polled: StandInRecording.Polled? = nil
    ) {
        session.firstTime = session.firstTime ?? time
        if let device, names.count < StandInDevices.limit, known.insert(device).inserted { names.append(device) }
        // A line of a recording needs no bytes beside it.
        memory += Self.lineMemory + (recording.isEmpty ? bytes.count : 0)
        session.lines.append(
            StandInRecording.Line(bytes: bytes, kind: kind, device: device, moment: clock.now, polled: polled))
    }
}

import GPSDReports
public import LocationCore

/// A recorded session as a stand-in plays it: gpsd's lines, untouched, and when each of them arrived.
///
/// It reads gpsd's JSON as clients got it, with or without `gpspipe`'s time stamps, and locwatch's own recordings.
public struct StandInSession: Sendable {
    /// What becomes of a line when its time has come.
    enum Kind: Hashable, Sendable {
        /// It goes to everybody who watches.
        case report
        /// It goes to those who asked for the timing of the pulse.
        case pulse
        /// It goes to those who asked for NMEA.
        case sentence
        /// It goes to everybody who watches, and changes what is known of its device.
        case device
        /// It was an answer, and changes what is known of all devices.
        case devices
    }

    /// The classes of which gpsd remembers the last report of each device.
    enum Polled: String, Sendable { case tpv = "TPV", gst = "GST", sky = "SKY" }

    struct Line: Sendable {
        /// The line without its stamp and its end.
        var bytes: ArraySlice<UInt8>
        var kind: Kind
        /// The device that it is about.
        var device: String?
        /// When it arrived; `nil` before the recording has told a time.
        var moment: Moment?
        /// What `?POLL;` tells it as.
        var polled: Polled?

        /// Whether clients get to see it.
        var isSent: Bool { kind != .devices }
    }

    /// A line is read in full up to this length; a longer one is left out.
    private static let lengthLimit = 1 << 20

    let lines: [Line]
    /// gpsd's own words about its release, where the recording has them.
    let version: ArraySlice<UInt8>?
    /// The devices as the first list of them has it, or as the reports name them.
    let devices: [StandInDevices.Entry]
    /// The first of the receivers' own times.
    let firstTime: Timestamp?
    /// The first time at which gpsd says to have heard a device.
    let firstActivated: Timestamp?

    /// Reads a recording out of its bytes; `name` is what messages call it.
    public init(_ recording: [UInt8], name: String = "recording") throws(LocationError) {
        var gatherer = SessionGatherer()
        recording.withUnsafeBytes { recording in
            var reader = LineReader(limit: Self.lengthLimit)
            reader.feed(recording) { gatherer.take($0) }
            reader.finish { gatherer.take($0) }
        }
        guard gatherer.reportCount > 0 else {
            throw .noSession(named: name, fault: gatherer.firstFault, isEmpty: recording.isEmpty)
        }
        lines = gatherer.lines
        version = gatherer.version
        devices = gatherer.devices ?? gatherer.namedDevices
        firstTime = gatherer.firstTime
        firstActivated = gatherer.firstActivated
    }

    /// Reads a recording out of a text.
    public init(_ recording: String) throws(LocationError) {
        try self.init(Array(recording.utf8))
    }

    /// Reads a recording out of a file, or standard input where the path is `-`; waits until all of it is there.
    public init(path: String) throws(LocationError) {
        let input = try RecordingInput(path: path)
        defer { input.close() }
        try self.init(input.contents(), name: input.name)
    }

    /// How many lines a client that watches everything gets to see.
    public var lineCount: Int { lines.count { $0.isSent } }
}

/// Gathers a session line by line.
private struct SessionGatherer {
    var lines: [StandInSession.Line] = []
    var version: ArraySlice<UInt8>?
    var devices: [StandInDevices.Entry]?
    var firstTime: Timestamp?
    var firstActivated: Timestamp?
    var reportCount = 0
    var firstFault: (line: Int, cause: String)?
    private var names: [String] = []
    private var decoder = ReportDecoder()
    private var clock = RecordingClock()
    private var lineCount = 0

    /// Devices that no list names, as the reports do.
    var namedDevices: [StandInDevices.Entry] { names.map { StandInDevices.Entry(named: $0) } }

    mutating func take(_ line: LineReader.Line) {
        lineCount += 1
        guard case .line(let bytes) = line else {
            note("the line is too long")
            return
        }
        if bytes.isEmpty { return }
        let (stamp, json) = ArrivalStamp.part(bytes)
        do throws(ReportError) {
            let report = try decoder.decode(json)
            reportCount += 1
            clock.follow(report, stamp: stamp)
            take(report, Array(json)[...])
        } catch {
            note("\(error)")
            take(unreadable: json)
        }
    }

    private mutating func take(_ report: GPSDReport, _ bytes: ArraySlice<UInt8>) {
        switch report {
        case .mark, .watch, .poll: break
        case .version: version = version ?? bytes
        case .devices(let report):
            let list = StandInDevices.entries(of: report, in: bytes)
            devices = devices ?? list
            firstActivated = firstActivated ?? list.lazy.compactMap(\.activated).first
            add(bytes, .devices)
        case .device(let report):
            firstActivated = firstActivated ?? report.activated
            add(bytes, .device, report.path)
        case .pps(let report): add(bytes, .pulse, report.device)
        case .toff(let report): add(bytes, .pulse, report.device)
        case .tpv(let report): add(bytes, .report, report.device, report.time, .tpv)
        case .sky(let report): add(bytes, .report, report.device, report.time, .sky)
        case .gst(let report): add(bytes, .report, report.device, report.time, .gst)
        case .att(let report), .imu(let report): add(bytes, .report, report.device)
        case .osc, .error, .other: add(bytes, .report)
        }
    }

    /// What gpsd itself wrote wrongly, or NMEA; anything else never came from gpsd.
    private mutating func take(unreadable bytes: UnsafeRawBufferPointer) {
        if bytes.first == UInt8(ascii: "{") {
            add(Array(bytes)[...], .report)
        } else if let start = bytes.firstIndex(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") }) {
            add(Array(bytes[start...])[...], .sentence)
        }
    }

    private mutating func add(
        _ bytes: ArraySlice<UInt8>, _ kind: StandInSession.Kind, _ device: String? = nil, _ time: Timestamp? = nil,
        _ polled: StandInSession.Polled? = nil
    ) {
        firstTime = firstTime ?? time
        if let device, !names.contains(device) { names.append(device) }
        lines.append(
            StandInSession.Line(bytes: bytes, kind: kind, device: device, moment: clock.now, polled: polled))
    }

    private mutating func note(_ cause: String) {
        if firstFault == nil { firstFault = (lineCount, cause) }
    }
}

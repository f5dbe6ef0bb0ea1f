import LocationCore
import GPSDProtocol

/// The reports that gpsd would make of a simulated receiver, generated without a gpsd.
///
/// Satellites are reported once a second, and before the position, as of a receiver that speaks NMEA.
struct SimulatedReports: Sendable {
    static let device = "/dev/simulated"

    private let scenario: ReceiverScenario
    private let seed: UInt64
    private var encoder: ScenarioEncoder
    private var index = 0
    private var pending: [StandInRecording.Line] = []
    private var isPlugged = true
    private var last: ScenarioEpoch?

    /// The supported satellite systems: cgps 3.22 crashes when a sky has more satellites than its window has lines.
    private static let systems: [SatelliteSystem] = [.gps, .galileo]

    init(_ scenario: ReceiverScenario, seed: UInt64) {
        var scenario = scenario
        scenario.systems = scenario.systems.filter(Self.systems.contains)
        self.scenario = scenario
        self.seed = seed
        encoder = ScenarioEncoder(scenario, seed: seed, start: Timestamp(nanosecondsSince1970: 0))
    }

    /// The time between two epochs.
    var interval: Duration { encoder.offset(of: 1) }
    /// The time of the next line since the start.
    var due: Duration { pending.last?.moment?.elapsed ?? encoder.offset(of: index) }

    /// Sets the time of the first epoch.
    mutating func start(at time: Timestamp) { encoder = ScenarioEncoder(scenario, seed: seed, start: time) }

    /// Returns the next line; an epoch without one gives an empty line, which is not sent.
    mutating func next() -> StandInRecording.Line {
        if let line = pending.popLast() { return line }
        let epoch = encoder.epoch(index, sharing: last)
        last = epoch
        index += 1
        let moment = Moment(elapsed: epoch.offset, wall: epoch.time)
        func line(_ text: [UInt8], _ kind: StandInRecording.LineKind, _ polled: StandInRecording.Polled? = nil)
            -> StandInRecording.Line
        {
            StandInRecording.Line(bytes: text[...], kind: kind, device: Self.device, moment: moment, polled: polled)
        }
        let isThere = epoch.reception != .unplugged
        if isThere != isPlugged {
            isPlugged = isThere
            pending.append(line(isThere ? Self.opened : StandInDevices.closed(Self.device), .device))
        }
        if isThere {
            if index == 1 || encoder.offset(of: index - 1).attoseconds % 1_000_000_000_000_000_000 == 0 {
                pending.insert(line(sky(epoch), .report, .sky), at: 0)
            }
            for part in 1...max(1, scenario.reportsPerEpoch) {
                let isWhole = part == max(1, scenario.reportsPerEpoch)
                pending.insert(line(position(epoch, isWhole: isWhole), .report, .tpv), at: 0)
            }
            if let attitude = attitude(epoch) {
                var line = line(attitude, .report)
                line.isAttitude = true
                pending.insert(line, at: 0)
            }
        }
        return pending.popLast() ?? line([], .devices)
    }

    private static var opened: [UInt8] { Array(StandInDevices.ServedDevice(named: device).text) }

    private func position(_ epoch: ScenarioEpoch, isWhole: Bool) -> [UInt8] {
        let report = epoch.reported
        let dimensions = isWhole ? epoch.reception.dimensions : 2
        var text = TextBuffer()
        text.object { out in
            out.member("class", "TPV")
            out.member("device", Self.device)
            out.member("mode", report.coordinate == nil ? 1 : dimensions)
            // gpsd corrects a date that is 1,024 weeks too early.
            out.member("time", scenario.weeksOff < 0 && report.time != nil ? epoch.time : report.time)
            if report.time != nil { out.member("ept", 0.005) }
            guard let place = report.coordinate else { return }
            out.put(key: "lat")
            out.put(fixed: place.latitude, decimals: 9)
            out.put(key: "lon")
            out.put(fixed: place.longitude, decimals: 9)
            guard isWhole else { return }
            if let altitude = report.altitude {
                if let separation = report.geoidSeparation {
                    out.member("altHAE", altitude + separation, decimals: 4)
                    out.member("geoidSep", separation, decimals: 4)
                }
                out.member("altMSL", altitude, decimals: 4)
                out.member("alt", altitude, decimals: 4)
            }
            out.member("epx", report.errors.longitudeAccuracy, decimals: 3)
            out.member("epy", report.errors.latitudeAccuracy, decimals: 3)
            out.member("epv", report.errors.verticalAccuracy, decimals: 3)
            out.member("track", report.course, decimals: 4)
            out.member("speed", report.speed, decimals: 3)
            out.member("eph", report.errors.horizontalAccuracy ?? report.hdop.map { $0 * 4.75 }, decimals: 3)
            guard report.quality != .ordinary else { return }
            out.member("status", report.quality.gpsdStatus)
            out.member("dgpsAge", report.dgpsAge, decimals: 1)
            out.member("dgpsSta", report.dgpsStation)
        }
        return text.bytes
    }

    /// Returns the report of the attitude, which has no time if a receiver sends it in sentences.
    private func attitude(_ epoch: ScenarioEpoch) -> [UInt8]? {
        guard let heading = epoch.reported.heading else { return nil }
        var text = TextBuffer()
        text.object { out in
            out.member("class", "ATT")
            out.member("device", Self.device)
            out.member("heading", heading, decimals: 3)
            out.member("mheading", epoch.reported.headingMagnetic, decimals: 3)
            out.member("rot", epoch.reported.rateOfTurn, decimals: 3)
        }
        return text.bytes
    }

    private func sky(_ epoch: ScenarioEpoch) -> [UInt8] {
        var text = TextBuffer()
        text.object { out in
            out.member("class", "SKY")
            out.member("device", Self.device)
            if let dops = epoch.dops {
                out.member("xdop", dops.longitude, decimals: 2)
                out.member("ydop", dops.latitude, decimals: 2)
                out.member("vdop", dops.vertical, decimals: 2)
                out.member("tdop", dops.time, decimals: 2)
                out.member("hdop", dops.horizontal, decimals: 2)
                out.member("gdop", dops.geometric, decimals: 2)
                out.member("pdop", dops.position, decimals: 2)
            }
            out.member("nSat", epoch.satellites.count)
            out.member("uSat", epoch.used.count)
            let used = Set(epoch.used)
            out.list("satellites", epoch.satellites) { out, satellite in
                out.member("PRN", satellite.number + (satellite.system == .galileo ? 300 : 0))
                out.member("gnssid", satellite.system.constellation.rawValue)
                out.member("svid", satellite.number)
                out.member("el", satellite.elevation, decimals: 1)
                out.member("az", satellite.azimuth, decimals: 1)
                out.member("ss", satellite.signal ?? 0, decimals: 1)
                out.member("used", used.contains(satellite))
            }
        }
        return text.bytes
    }
}

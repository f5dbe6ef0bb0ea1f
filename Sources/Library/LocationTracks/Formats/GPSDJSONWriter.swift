import LocationCore
import LocwatchSupport

extension TrackFormat {
    /// gpsd's own JSON, which can be replayed.
    public static let gpsd = TrackFormat(
        name: "gpsd", title: "gpsd JSON", summary: "gpsd's own JSON, which can be replayed", receivers: .inPoints,
        keepsSatellites: true, type: GPSDJSONWriter.self)
}

/// gpsd's JSON: a VERSION, the mark of a track, then for each point a SKY if it has changed and a TPV, and at a gap a TPV without
/// a fix.
struct GPSDJSONWriter: TrackWriter {
    /// Whether a `SKY` is written for each point, so that no point seems to have that of a much earlier one.
    var repeatsSkies = false
    private let creator: String
    private var device: String?
    /// The sky view that was last written for each receiver, and the time of its point.
    private var skies = PerDevice<(sky: SkyView, time: Timestamp?)>()
    /// The age from which an unchanged view is written again, so that a reader does not take it for outdated.
    private static let skyAge = SkyMemory.life / 2

    init(_ options: TrackFormat.Options) {
        creator = options.creator
    }

    func beginFile(into out: inout TextBuffer) {
        out.put("{\"class\":\"VERSION\"")
        out.member("release", creator)
        out.member("rev", creator)
        out.member("proto_major", 3)
        out.member("proto_minor", 14)
        out.put("}\n")
        out.put(TrackLines.beginning)
        out.put(UInt8(ascii: "\n"))
    }

    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        guard let moment = gap.moment else { return }
        loss(at: moment.wall, of: device, into: &out)
    }

    /// Appends an epoch without a fix.
    func loss(at time: Timestamp, of device: String?, into out: inout TextBuffer) {
        out.report("TPV", of: device) {
            $0.member("mode", 1)
            $0.member("time", exact: time)
        }
    }

    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        let location = point.location
        device = location.device
        if let sky = point.sky { append(sky, at: location.timestamp, into: &out) }
        out.report("TPV", of: device) {
            if location.quality != .ordinary { $0.member("status", location.quality.gpsdStatus) }
            $0.member("mode", location.fix == .threeD ? 3 : 2)
            $0.member("time", exact: location.timestamp)
            $0.member("lat", location.coordinate.latitude)
            $0.member("lon", location.coordinate.longitude)
            $0.members(of: location)
        }
    }
}

extension GPSDJSONWriter {
    private mutating func append(_ sky: SkyView, at time: Timestamp?, into out: inout TextBuffer) {
        let known = skies[device]
        let age = known?.time.flatMap { before in time.map { $0.since(before) } } ?? .zero
        guard repeatsSkies || sky != known?.sky || age >= Self.skyAge else { return }
        sky.append(at: time, after: known?.sky, into: &out)
        skies.set((sky, time), for: device)
    }
}

/// Members of gpsd's reports.
extension TextBuffer {
    mutating func report(_ name: StaticString, of device: String?, _ members: (inout TextBuffer) -> Void) {
        put("{\"class\":\"")
        put(name)
        put(UInt8(ascii: "\""))
        member("device", device)
        members(&self)
        put("}\n")
    }

    mutating func member(_ key: StaticString, exact time: Timestamp?) {
        guard let time else { return }
        put(key: key)
        put(UInt8(ascii: "\""))
        put(exact: time)
        put(UInt8(ascii: "\""))
    }

    mutating func members(of location: Location) {
        location.numbers.forEach { member(Location.Field.rows[$0].gpsdName, $1) }
        member("datum", location.datum)
    }
}

import LocationCore
import LocwatchSupport

extension TrackFormat {
    /// gpsd's own JSON, which can be replayed.
    public static let json = TrackFormat(
        "json", title: "gpsd JSON", summary: "gpsd's own JSON, which can be replayed", receivers: .inPoints,
        keepsSatellites: true, writer: GPSDJSONWriter.self)
}

/// gpsd's JSON: a VERSION, the mark of a track, then for each point a SKY if it has changed and a TPV, and at a gap a TPV without
/// a fix.
struct GPSDJSONWriter: TrackWriter {
    /// Whether a `SKY` is written for each point, so that no point seems to have that of a much earlier one.
    var repeatsSkies = false
    private let creator: String
    private var device: String?
    /// The sky view that was last written for each receiver.
    private var skies = PerDevice<TrackSky>()

    init(_ options: TrackFormat.Options) {
        creator = options.creator
    }

    func beginFile(to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"VERSION\",\"release\":")
        bytes.append(json: creator)
        bytes.append(",\"rev\":")
        bytes.append(json: creator)
        bytes.append(",\"proto_major\":3,\"proto_minor\":14}\n")
        bytes += TrackLines.beginning
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        guard let moment = gap.moment else { return }
        loss(at: moment.wall, of: device, to: &bytes)
    }

    /// Appends an epoch without a fix.
    func loss(at time: Timestamp, of device: String?, to bytes: inout [UInt8]) {
        begin(device, &bytes)
        bytes.append(",\"mode\":1,\"time\":\"")
        bytes.append(time: time)
        bytes.append("\"}\n")
    }

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        let location = point.location
        device = location.device
        let sky = TrackSky(point)
        let known = skies[device]
        if sky.isKnown, repeatsSkies || sky != known {
            sky.append(device, at: location.timestamp, after: known, to: &bytes)
            skies.set(sky, for: device)
        }
        begin(device, &bytes)
        if location.quality != .ordinary {
            bytes.append(",\"status\":")
            DecimalText.append(location.quality.gpsdStatus, to: &bytes)
        }
        bytes.append(location.fix == .threeD ? ",\"mode\":3" : ",\"mode\":2")
        if let time = location.timestamp {
            bytes.append(",\"time\":\"")
            bytes.append(time: time)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(",\"lat\":")
        DecimalText.append(shortest: location.coordinate.latitude, to: &bytes)
        bytes.append(",\"lon\":")
        DecimalText.append(shortest: location.coordinate.longitude, to: &bytes)
        JSONMember.append(location, to: &bytes)
        bytes.append("}\n")
    }

    private func begin(_ device: String?, _ bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"TPV\"")
        guard let device else { return }
        bytes.append(",\"device\":")
        bytes.append(json: device)
    }
}

/// Members of a JSON object with the numbers of a location, each preceded by a comma.
enum JSONMember {
    static func append(_ location: Location, to bytes: inout [UInt8]) {
        for (place, field) in (location.hasDetails ? LocationNumbers.fields : Location.fields).enumerated() {
            append(field.gpsdName, location[number: place], to: &bytes)
        }
        guard let datum = location.details?.datum else { return }
        bytes.append(",\"datum\":")
        bytes.append(json: datum)
    }

    static func append(_ dilution: DilutionOfPrecision, to bytes: inout [UInt8]) {
        for (place, field) in DilutionOfPrecision.fields.enumerated() {
            append(field.gpsdName, dilution[number: place], to: &bytes)
        }
    }

    static func append(_ name: StaticString, _ value: Double?, to bytes: inout [UInt8]) {
        guard let value else { return }
        bytes.append(",\"")
        bytes.append(name)
        bytes.append("\":")
        DecimalText.append(shortest: value, to: &bytes)
    }
}

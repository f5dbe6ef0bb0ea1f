extension LocationEvent: CustomStringConvertible {
    /// The event with its known values, in one line.
    public var description: String {
        switch self {
        case .location(let location): "location \(location)"
        case .searching(let reason, let device):
            "searching \(reason)" + (device.map { ", device \(VisibleText.of($0))" } ?? "")
        case .failure(let error, let retry): "failure \(error)" + (retry.map { ", retry after \($0)" } ?? "")
        case .satellites(let sky): "satellites \(sky)"
        case .attitude(let attitude): "attitude \(attitude)"
        case .device(let status): "device \(VisibleText.of(status.path)): \(status.activity.rawValue)"
        case .receiver(let report):
            "receiver \(report.device.map(VisibleText.of) ?? "without a name")"
                + (report.antennaStatus.map { ", antenna \($0)" } ?? "")
                + (report.jamming.map { ", jamming \($0)" } ?? "")
        case .clock(let sample): "clock \(sample.source.rawValue) \(sample.offset)"
        case .line(let bytes): "a line of \(bytes.count) bytes"
        case .authorization(let status): "authorization \(status.rawValue)"
        case .notice(let notice): "notice \(notice)"
        case .other(let name): VisibleText.of(name)
        }
    }
}

extension Attitude: CustomStringConvertible {
    /// The known values under the names of their properties, in one line.
    public var description: String {
        let values: [(String, Double?)] = [
            ("heading", heading), ("headingMagnetic", headingMagnetic), ("pitch", pitch), ("roll", roll),
            ("rateOfTurn", rateOfTurn),
        ]
        var parts = values.compactMap { name, value in value.map { "\(name) \($0)" } }
        if let timestamp { parts.append("timestamp \(timestamp)") }
        if let device { parts.append("device \(VisibleText.of(device))") }
        return parts.isEmpty ? "without values" : parts.joined(separator: ", ")
    }
}

extension LocationUpdate: CustomStringConvertible {
    /// The event and its session time.
    public var description: String { "\(event) at \(moment.elapsed)" }
}

extension LocationState: CustomStringConvertible {
    /// The state with its known values, in one line.
    public var description: String {
        switch self {
        case .searching(let reason): "searching \(reason)"
        case .found(let location): "found \(location)"
        case .error(let error): "error \(error)"
        }
    }
}

extension StateChange: CustomStringConvertible {
    /// Both states, and the times of the change.
    public var description: String {
        "from \(from) to \(to) at \(moment.elapsed), after \(lasted)"
            + (device.map { ", device \(VisibleText.of($0))" } ?? "")
    }
}

extension LocationRequest: CustomStringConvertible {
    /// The purpose and the criteria that the request has.
    public var description: String {
        var parts: [String] = []
        func put(_ name: String, _ value: Any?) { if let value { parts.append("\(name) \(value)") } }
        put("accuracy", accuracy)
        put("fix", fix)
        put("distanceFilter", distanceFilter)
        put("minimumInterval", minimumInterval)
        put("maxAge", maxAge)
        put("device", device.map { VisibleText.of($0) })
        put("deviceInterval", deviceInterval)
        put("limit", limit)
        if includesLines { parts.append("with lines") }
        if includesClock { parts.append("with clock") }
        return ([purpose.rawValue] + parts).joined(separator: ", ")
    }
}

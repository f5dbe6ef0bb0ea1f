import LocationCore

/// A position on a line, and its time: all that GeoJSON and KML write of a point of one.
struct TrackVertex: Sendable {
    private(set) var longitude: Double
    private(set) var latitude: Double
    private(set) var altitude: Double?
    private(set) var time: Timestamp?

    init(_ location: Location) {
        longitude = location.coordinate.longitude
        latitude = location.coordinate.latitude
        altitude = location.altitudeMSL
        time = location.timestamp
    }

    /// Returns the ends of the lines on both sides of the antimeridian if the way to a vertex crosses it.
    ///
    /// An end is `nil` if the vertex on its side is on the antimeridian itself.
    func crossing(to end: TrackVertex) -> (end: TrackVertex?, start: TrackVertex?)? {
        guard abs(end.longitude - longitude) > 180 else { return nil }
        let there = 180 - abs(longitude)
        let all = there + 180 - abs(end.longitude)
        let share = all > 0 ? there / all : 0
        var edge = self
        edge.longitude = longitude > 0 ? 180 : -180
        edge.latitude += share * (end.latitude - latitude)
        (edge.altitude, edge.time) = (nil, nil)
        if let altitude, let other = end.altitude { edge.altitude = altitude + share * (other - altitude) }
        if let time, let other = end.time { edge.time = time.advanced(by: other.since(time) * share) }
        var other = edge
        other.longitude = -edge.longitude
        return (there > 0 ? edge : nil, abs(end.longitude) < 180 ? other : nil)
    }

    func appendPosition(into out: inout TextBuffer) {
        out.put(UInt8(ascii: "["))
        out.put(shortest: longitude)
        out.put(UInt8(ascii: ","))
        out.put(shortest: latitude)
        if let altitude {
            out.put(UInt8(ascii: ","))
            out.put(shortest: altitude)
        }
        out.put(UInt8(ascii: "]"))
    }

    func appendTime(into out: inout TextBuffer) {
        guard let time else { return out.put("null") }
        out.put(UInt8(ascii: "\""))
        out.put(exact: time)
        out.put(UInt8(ascii: "\""))
    }
}

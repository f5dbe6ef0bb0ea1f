import LocationCore

extension TargetScheme {
    /// Cursor on Target in datagrams.
    static let cursorOnTarget = [
        TargetScheme(
            "cot+udp", form: "239.2.3.1[:6969]", summary: "Cursor on Target, for ATAK and WinTAK"
        ) { parts throws(PublishError) in
            try parts.requireNoPath()
            return { target throws(PublishError) in
                let encoder = CursorOnTargetTarget(
                    callsign: try target.deviceName(), interval: target.options.positionInterval)
                return .datagrams(host: parts.host, port: parts.port ?? 6969, encoder)
            }
        }
    ]
}

/// An encoder of records as Cursor on Target, for ATAK, WinTAK and iTAK: one XML event in a datagram.
package struct CursorOnTargetTarget: StreamTarget, Hashable {
    /// The name on the map, which also makes the identifier of the device.
    package let callsign: String
    private let validity: Duration

    /// The kind of the object: a friendly unit on the ground.
    private static let type = "a-f-G-U-C"
    private static let unknown = "9999999.0"

    /// Creates an encoder.
    ///
    /// - Parameter interval: The longest time between two positions; after three of them a position is stale.
    package init(callsign: String, interval: Duration) {
        self.callsign = callsign
        // A year is enough, and cannot overflow.
        validity = min(max(.zero, interval), .seconds(31_536_000)) * 3
    }

    /// Returns the event of a record; a loss has none, so that the position becomes stale.
    package func datagrams(for record: PublishRecord) -> [[UInt8]] {
        guard record.occasion != .lost, let location = record.location else { return [] }
        if case .fence = record.occasion { return [] }
        let time = record.time
        let now = time.formatted(fractionDigits: 3)
        let stale = time.advanced(by: validity).formatted(fractionDigits: 3)
        let name = TextBuffer.text { $0.put(xml: callsign) }
        var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        text += #"<event version="2.0" uid="locwatch-\#(name)" type="\#(Self.type)" how="m-g""#
        text += #" time="\#(now)" start="\#(now)" stale="\#(stale)">"#
        text += #"<point lat="\#(Self.number(location.coordinate.latitude, decimals: 7))""#
        text += #" lon="\#(Self.number(location.coordinate.longitude, decimals: 7))""#
        text += #" hae="\#(Self.known(location.heightAboveEllipsoid))""#
        text += #" ce="\#(Self.known(location.plausibleAccuracy))""#
        text += #" le="\#(Self.known(location.plausibleVerticalAccuracy))"/>"#
        text += #"<detail><contact callsign="\#(name)"/>"#
        if let course = location.plausibleCourse, let speed = location.plausibleSpeed {
            let course = Self.number(course, decimals: 2)
            text += #"<track course="\#(course)" speed="\#(Self.number(speed, decimals: 3))"/>"#
        }
        text += #"<precisionlocation geopointsrc="GPS" altsrc="GPS"/></detail></event>"#
        return [Array(text.utf8)]
    }

    private static func known(_ value: Double?) -> String { value.map { number($0, decimals: 3) } ?? unknown }

    /// Returns a number with at least one decimal, as other programs write it.
    private static func number(_ value: Double, decimals: Int) -> String {
        let text = TextBuffer.text { $0.put(trimmed: value, decimals: decimals) }
        return text.utf8.contains(UInt8(ascii: ".")) ? text : text + ".0"
    }
}

extension Location {
    /// The height above the ellipsoid, computed from the one above sea level if it was not reported.
    fileprivate var heightAboveEllipsoid: Double? {
        if let altitudeHAE { return altitudeHAE }
        guard let altitudeMSL, let geoidSeparation else { return nil }
        return altitudeMSL + geoidSeparation
    }
}

import LocationCore

/// Cursor on Target, for TAK: an XML event in each datagram.
public struct CursorOnTargetTarget: StreamTarget {
    /// The number that stands for an unknown height or accuracy.
    private static let unknown = 9_999_999.0

    private let name: String
    private let validity: Duration

    /// Creates a target for a machine.
    ///
    /// - Parameters:
    ///   - name: The name that maps show.
    ///   - validity: The time after which maps show the position as old: two to three times the interval of the records.
    public init(name: String, validity: Duration = .seconds(30)) {
        self.name = name
        self.validity = validity
    }

    /// Returns the datagrams for a record.
    public func datagrams(for record: PublishRecord) -> [[UInt8]] {
        guard record.occasion != .lost, let location = record.location else { return [] }
        let name = XMLText.escaped(name)
        var text =
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><event version="2.0" uid="locwatch-\#(name)""#
        text += #" type="a-f-G-U-C" how="m-g" time="\#(time(record.created))" start="\#(time(record.time))""#
        text += #" stale="\#(time(record.created.advanced(by: validity)))"><point"#
        text += attribute("lat", location.coordinate.latitude, decimals: 7)
        text += attribute("lon", location.coordinate.longitude, decimals: 7)
        text += attribute("hae", location.altitudeHAE ?? Self.unknown, decimals: 1)
        text += attribute("ce", location.horizontalAccuracy ?? Self.unknown, decimals: 1)
        text += attribute("le", location.verticalAccuracy ?? Self.unknown, decimals: 1)
        text += #"/><detail><contact callsign="\#(name)"/>"#
        if let course = location.course, let speed = location.speed {
            text += "<track" + attribute("course", course, decimals: 1) + attribute("speed", speed, decimals: 1) + "/>"
        }
        text += #"<precisionlocation geopointsrc="GPS" altsrc="GPS"/></detail></event>"#
        return [Array(text.utf8)]
    }

    private func time(_ time: Timestamp) -> String { time.formatted(fractionDigits: 3) }

    private func attribute(_ name: String, _ value: Double, decimals: Int) -> String {
        let value = value.isFinite ? value : Self.unknown
        return " \(name)=\"" + DecimalText.text { DecimalText.append(value, decimals: decimals, to: &$0) } + "\""
    }
}

/// Text in XML.
private enum XMLText {
    /// Returns text for an attribute, with hidden characters made visible.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in VisibleText.of(text).unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

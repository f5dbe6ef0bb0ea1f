import LocationCore

/// A value of a point that no position has.
enum UnreadValue: Int, CaseIterable {
    case heartRate, cadence, power, temperature, name, description

    var words: String {
        switch self {
        case .heartRate: "heart rate"
        case .cadence: "cadence"
        case .power: "power"
        case .temperature: "temperature"
        case .name: "names"
        case .description: "descriptions"
        }
    }
}

/// A format of tracks in XML, as a table of the elements that are read.
///
/// `XMLTrackReader` reads all of them. A new format is another table, and its name in `all`.
struct XMLFormat: Sendable {
    /// The names that the first element can have.
    let roots: [StaticString]
    /// The attributes of a point's element with its position, if they have it.
    var position: (latitude: StaticString, longitude: StaticString)?
    let elements: [Scope: [Element]]

    static let all = [gpx, kml, tcx]

    /// A part of a document, in which the names of elements have a meaning of their own.
    ///
    /// An element that the table does not have belongs to the part that it is in, except for one in a point, which begins extensions.
    enum Scope {
        /// Everything outside of the others.
        case document
        /// A point, and what the table opens in it.
        case point
        /// The additions of other programs to a point; the elements are read with any prefix, and in the point itself too.
        case extensions
        /// KML's geometries, of which each has its positions in a form of its own.
        case place, line, track
        case data
        /// A part in which nothing is read.
        case ignored
    }

    /// The role of an element, which is also where its text goes.
    enum Role {
        /// An element that is nothing itself, but may contain others.
        case group
        /// The next point begins a segment.
        case segment
        /// A point of one kind, whose values are in it.
        case point(PointCollector.ElementKind)
        case value(PointValue)
        /// The tracks of one receiver, and the name of it, which counts if locwatch has written it.
        case receiver, receiverName
        /// The name of a track.
        case trackName
        /// A value of a point that no position has, which is counted.
        case unread(UnreadValue)
        /// A place in KML, which is a point if it has a position.
        case placemark
        /// The longitude, the latitude and the altitude of a placemark, and any number of those of a line.
        case place, line
        /// A segment of times and of positions, which are paired in their order.
        case pairs, pairedTime, pairedPlace

        /// Whether the text of the element is read.
        var hasText: Bool {
            switch self {
            case .value, .receiverName, .trackName, .place, .line, .pairedTime, .pairedPlace: true
            case .group, .segment, .point, .receiver, .unread, .placemark, .pairs: false
            }
        }
    }

    struct Element: Sendable {
        let name: StaticString
        let role: Role
        /// The part that the element opens, if it is not the one around it.
        var opens: Scope?
        /// The prefix that the element can have instead of the format's own.
        var prefix: StaticString?
        /// The value that an attribute must have for the element to count.
        var attribute: (name: StaticString, value: StaticString)?
    }

    /// Returns the element with a name and attributes in a part of a document, or `nil` if it is not read.
    func element(_ name: XMLName, _ attributes: XMLAttributes, in scope: Scope, own: [CChar]) -> Element? {
        let isForeign = scope != .extensions && name.isForeign(to: own)
        for element in elements[scope] ?? [] where name == element.name {
            if isForeign, element.prefix.map(name.hasPrefix) != true { continue }
            if let (name, value) = element.attribute, !attributes.have(name, value) { continue }
            return element
        }
        return scope == .point ? self.element(name, attributes, in: .extensions, own: own) : nil
    }
}

extension XMLFormat {
    /// GPX 1.0 and 1.1: tracks, else routes, else waypoints.
    private static let gpx = XMLFormat(
        roots: ["gpx"], position: ("lat", "lon"),
        elements: [
            .document: [
                Element(name: "trk", role: .receiver),
                Element(name: "src", role: .receiverName),
                Element(name: "name", role: .trackName),
                Element(name: "trkseg", role: .segment),
                Element(name: "rte", role: .segment),
                Element(name: "trkpt", role: .point(.track), opens: .point),
                Element(name: "rtept", role: .point(.route), opens: .point),
                Element(name: "wpt", role: .point(.waypoint), opens: .point),
            ],
            .point: [
                Element(name: "ele", role: .value(.number(.altitudeMSL))),
                Element(name: "time", role: .value(.time)),
                Element(name: "fix", role: .value(.fix)),
                Element(name: "sat", role: .value(.used)),
                Element(name: "hdop", role: .value(.dilution(.horizontal))),
                Element(name: "vdop", role: .value(.dilution(.vertical))),
                Element(name: "pdop", role: .value(.dilution(.position))),
                Element(name: "magvar", role: .value(.variation)),
                Element(name: "geoidheight", role: .value(.number(.geoidSeparation))),
                Element(name: "dgpsid", role: .value(.station)),
                Element(name: "ageofdgpsdata", role: .value(.number(.dgpsAge))),
                Element(name: "name", role: .unread(.name)),
                Element(name: "desc", role: .unread(.description)),
                Element(name: "cmt", role: .unread(.description)),
            ],
            .extensions: [
                Element(name: "speed", role: .value(.number(.speed))),
                Element(name: "course", role: .value(.number(.course))),
                Element(name: "hr", role: .unread(.heartRate)),
                Element(name: "heartrate", role: .unread(.heartRate)),
                Element(name: "cad", role: .unread(.cadence)),
                Element(name: "cadence", role: .unread(.cadence)),
                Element(name: "atemp", role: .unread(.temperature)),
                Element(name: "wtemp", role: .unread(.temperature)),
                Element(name: "temp", role: .unread(.temperature)),
                Element(name: "power", role: .unread(.power)),
                Element(name: "watts", role: .unread(.power)),
            ],
        ])

    /// TCX, Garmin's format of trainings: the points of the tracks, those of a lap after those of the one before.
    private static let tcx = XMLFormat(
        roots: ["TrainingCenterDatabase"],
        elements: [
            .document: [
                Element(name: "Track", role: .segment),
                Element(name: "Trackpoint", role: .point(.track), opens: .point),
            ],
            .point: [
                Element(name: "Time", role: .value(.time)),
                Element(name: "Position", role: .group, opens: .point),
                Element(name: "LatitudeDegrees", role: .value(.latitude)),
                Element(name: "LongitudeDegrees", role: .value(.longitude)),
                Element(name: "AltitudeMeters", role: .value(.number(.altitudeMSL))),
                Element(name: "HeartRateBpm", role: .unread(.heartRate)),
                Element(name: "Cadence", role: .unread(.cadence)),
            ],
            .extensions: [
                Element(name: "Speed", role: .value(.number(.speed))),
                Element(name: "RunCadence", role: .unread(.cadence)),
                Element(name: "Watts", role: .unread(.power)),
            ],
        ])

    /// KML: tracks of Google's extension, else points with a time, else lines.
    private static let kml = XMLFormat(
        roots: ["kml", "Document", "Folder", "Placemark"],
        elements: [
            .document: [
                Element(name: "Placemark", role: .placemark),
                Element(name: "when", role: .value(.time)),
                Element(name: "begin", role: .value(.begin)),
                Element(name: "Point", role: .group, opens: .place),
                Element(name: "LineString", role: .segment, opens: .line),
                Element(name: "Track", role: .pairs, opens: .track, prefix: "gx:"),
                Element(name: "Data", role: .group, opens: .data, attribute: ("name", "device")),
                // A view has times too.
                Element(name: "LookAt", role: .group, opens: .ignored),
                Element(name: "Camera", role: .group, opens: .ignored),
            ],
            .place: [Element(name: "coordinates", role: .place)],
            .line: [Element(name: "coordinates", role: .line)],
            .track: [
                Element(name: "when", role: .pairedTime),
                Element(name: "coord", role: .pairedPlace, prefix: "gx:"),
            ],
            .data: [Element(name: "value", role: .value(.device))],
        ])
}

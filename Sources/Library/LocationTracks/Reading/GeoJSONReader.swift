import LocationCore

/// A reader of GeoJSON: lines with the times of their points, and points with a time.
///
/// Features are read one by one, so a file of any size needs the memory of its largest feature. The points of a feature
/// take more memory than its text, so they are emitted some thousands at a time: while `hasMore`, call `resume()`.
final class GeoJSONReader: TrackFormatReader {
    /// The meaning of a value: the name of a member tells it, and the list that of its elements.
    private enum Meaning {
        /// A collection is a feature without a geometry.
        case feature, features, geometry, geometries, properties
        case coordinates
        /// The times of the positions, of which each can be a list again.
        case times, vertexTime
        case type, time, addedFirst, addedLast
        case property(PointValue)
        case other
    }

    private let collector: PointCollector
    private var tokens = JSONTokens()
    /// The meanings of the objects and lists around the current value.
    private var open: [Meaning] = []
    private var meaning = Meaning.feature
    private var feature = GeoJSONFeature()
    private var position: [Double?] = []
    private var segment: Int?
    /// The points of a complete feature that are not emitted yet.
    private var points: GeoJSONFeature.Points?
    /// The bytes that follow that feature.
    private var rest: [UInt8] = []

    /// The usual limit of the positions of a feature, which the manual names.
    static let limit = 1_000_000
    private let limit: Int

    init(_ collector: PointCollector, limit: Int = GeoJSONReader.limit) {
        self.collector = collector
        self.limit = limit
    }

    func read(_ piece: UnsafeRawBufferPointer) throws(LocationError) -> Bool {
        guard !piece.isEmpty else {
            if let token = tokens.finish() { process(token) }
            return tokens.isTorn
        }
        var place = 0
        while points == nil, let token = try tokens.next(in: piece, from: &place) {
            process(token)
            guard feature.count <= limit else {
                throw .malformedTrack(line: tokens.line, "a line has more than \(limit) points; cut it into several")
            }
        }
        rest = Array(piece[place...])
        return false
    }

    var hasMore: Bool { points != nil || !rest.isEmpty }

    /// Emits more points of a feature, or reads on after it.
    func resume() throws(LocationError) {
        if points?.emit(to: collector) == true { return }
        points = nil
        let bytes = rest
        rest = []
        if bytes.isEmpty { return }
        let read = bytes.withUnsafeBytes { piece in
            Result { () throws(LocationError) in try self.read(piece) }
        }
        _ = try read.get()
    }

    private func process(_ token: JSONToken) {
        switch token {
        case .key(let name): meaning = Self.meaning(of: name.text ?? "", in: open.last)
        case .beginObject: begin(isObject: true)
        case .beginArray: begin(isObject: false)
        case .endObject, .endArray: end()
        case .string(let text): set(text: text, number: nil)
        case .number(let text): set(text: nil, number: text.number)
        case .word: set(text: nil, number: nil)
        }
    }

    private static func meaning(of name: String, in object: Meaning?) -> Meaning {
        switch object {
        case .feature, .geometry: members[name] ?? .other
        case .properties: properties[name] ?? PointValue(name).map(Meaning.property) ?? .other
        default: .other
        }
    }

    /// The members of the objects of GeoJSON; `locations` is the list of features in Overland's requests.
    private static let members: [String: Meaning] = [
        "features": .features, "locations": .features, "geometry": .geometry, "geometries": .geometries,
        "properties": .properties, "coordinates": .coordinates, "type": .type,
    ]

    /// The properties that are not values of a point.
    private static let properties: [String: Meaning] = [
        "coordinateProperties": .properties, "coordTimes": .times, "times": .times, "timestamps": .times,
        "time": .time, "timestamp": .time, "when": .time, "datetime": .time,
        "addedFirst": .addedFirst, "addedLast": .addedLast,
    ]

    /// Begins an object or a list, in which nothing is read if it is not what its meaning demands.
    private func begin(isObject: Bool) {
        position.removeAll(keepingCapacity: true)
        switch meaning {
        case .feature where isObject:
            feature = GeoJSONFeature()
            open.append(.feature)
        case .geometry where isObject, .properties where isObject: open.append(meaning)
        case .features where !isObject, .geometries where !isObject, .coordinates where !isObject: open.append(meaning)
        // Some programs write the times under two names.
        case .times where !isObject && !feature.hasTimes, .vertexTime where !isObject: open.append(.times)
        default: open.append(.other)
        }
        meaning = elementMeaning
    }

    /// The meaning of the next element of the innermost list, or `other` in an object, whose members have names.
    private var elementMeaning: Meaning {
        switch open.last {
        case nil, .features: .feature
        case .geometries: .geometry
        case .coordinates: .coordinates
        case .times: .vertexTime
        default: .other
        }
    }

    private func end() {
        switch open.popLast() {
        case .feature:
            points = GeoJSONFeature.Points(of: feature, after: segment)
            if points?.emit(to: collector) == false { points = nil }
            segment = feature.draft.segment
            // A collection has no positions of its own after its features.
            feature = GeoJSONFeature()
        case .coordinates:
            if position.isEmpty { feature.endLine() } else { feature.append(position: position) }
            position.removeAll(keepingCapacity: true)
        default: break
        }
        meaning = elementMeaning
    }

    /// Sets what a text or a number gives; other values are neither of them.
    private func set(text: ValueText?, number: Double?) {
        var time: Timestamp? { if let text { text.time } else { number.flatMap(TrackTime.read) } }
        switch meaning {
        case .coordinates: if position.count < 4 { position.append(number) }
        case .vertexTime: feature.append(time: time)
        case .times where text == nil: break
        case .time, .times:
            feature.draft.facts.timestamp = time
            feature.hasTime = true
        case .type: if let type = text?.text, !Self.containers.contains(type) { feature.type = type }
        case .property(.device): if let text { feature.draft.set(.device, to: text) }
        case .property(let value): if let number { feature.draft.set(value, to: number) }
        case .addedFirst: feature.crosses.first = number == 1
        case .addedLast: feature.crosses.last = number == 1
        case .feature, .features, .geometry, .geometries, .properties, .other: break
        }
    }

    /// The types that say nothing of a geometry.
    private static let containers = ["Feature", "FeatureCollection", "GeometryCollection"]
}

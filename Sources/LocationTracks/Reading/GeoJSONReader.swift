import LocationCore

/// A reader of GeoJSON: lines with the times of their points, and points with a time.
///
/// Features are read one by one, so a file of any size needs the memory of its largest feature. The points of a feature
/// take more memory than its text, so they are emitted some thousands at a time: while `hasMore`, call `resume()`.
final class GeoJSONReader {
    private enum Scope {
        /// An object of GeoJSON: a collection, a feature or a geometry.
        case object(isFeature: Bool)
        case features, geometries, properties, coordinates, times, ignored
    }

    private enum Key {
        case features, geometries, object, properties, coordinates, times, type, time, segment, device, other
        case property(String)
    }

    private let collector: PointCollector
    private var tokens = JSONTokens()
    private var scopes: [Scope] = []
    private var key = Key.other
    private var feature = GeoJSONFeature()
    private var position: [Double?] = []
    private var segment: Int?
    /// Whether the feature has any content.
    private var isFeatureUsed = false
    /// Whether a feature has more points than its limit.
    private var isTooLarge = false
    /// The points of a complete feature that are not emitted yet.
    private var points: GeoJSONFeature.Points?
    /// The bytes that follow that feature.
    private var rest: [UInt8] = []

    init(_ collector: PointCollector) { self.collector = collector }

    /// Reads the next bytes; an empty piece ends the file.
    ///
    /// - Returns: Whether the file is torn: it ends within a value.
    func read(_ piece: UnsafeRawBufferPointer) throws(TrackFault) -> Bool {
        guard piece.isEmpty else {
            let count = try tokens.read(
                piece, { (token) throws(TrackFault) in process(token) }, isPaused: { points != nil || isTooLarge })
            guard !isTooLarge else {
                throw .malformed(
                    line: tokens.line, cause: "a line has more than \(GeoJSONFeature.limit) points; cut it into several"
                )
            }
            rest = Array(piece[count...])
            return false
        }
        try tokens.finish { (token) throws(TrackFault) in process(token) }
        return tokens.isTorn
    }

    /// Whether `resume()` must be called before the next `read(_:)`.
    var hasMore: Bool { points != nil || !rest.isEmpty }

    /// Emits more points of a feature, or reads on after it.
    func resume() throws(TrackFault) {
        if points?.emit(to: collector) == true { return }
        points = nil
        let bytes = rest
        rest = []
        if bytes.isEmpty { return }
        let read = bytes.withUnsafeBytes { piece in
            Result { () throws(TrackFault) in try self.read(piece) }
        }
        _ = try read.get()
    }

    private func process(_ token: JSONToken) {
        switch token {
        case .key(let name): key = Self.key(name, in: scopes.last ?? .ignored)
        case .beginObject: begin(isObject: true)
        case .beginArray: begin(isObject: false)
        case .endObject, .endArray: end()
        case .string(let text): process(text: text)
        case .number(let text): process(number: text.number)
        case .word: process(number: nil)
        }
        if feature.isFull { isTooLarge = true }
    }

    private static func key(_ name: ValueText, in scope: Scope) -> Key {
        let name = name.text ?? ""
        switch (scope, name) {
        // "locations" is the list of features in Overland's requests.
        case (.object, "features"), (.object, "locations"): return .features
        case (.object, "geometries"): return .geometries
        case (.object, "geometry"): return .object
        case (.object, "properties"), (.properties, "coordinateProperties"): return .properties
        case (.object, "coordinates"): return .coordinates
        case (.object, "type"): return .type
        case (.properties, "coordTimes"), (.properties, "times"), (.properties, "timestamps"): return .times
        case (.properties, "time"), (.properties, "timestamp"), (.properties, "when"), (.properties, "datetime"):
            return .time
        // The second name is GDAL's.
        case (.properties, "segment"), (.properties, "track_seg_id"): return .segment
        case (.properties, "device"): return .device
        case (.properties, _): return .property(name)
        default: return .other
        }
    }

    private func begin(isObject: Bool) {
        let scope: Scope
        switch (scopes.last, key) {
        case (nil, _): scope = isObject ? .object(isFeature: true) : .ignored
        case (.features, _): scope = isObject ? .object(isFeature: true) : .ignored
        case (.geometries, _): scope = isObject ? .object(isFeature: false) : .ignored
        case (.coordinates, _): scope = isObject ? .ignored : .coordinates
        case (.times, _): scope = isObject ? .ignored : .times
        case (.object, .object): scope = isObject ? .object(isFeature: false) : .ignored
        case (.object, .features): scope = isObject ? .ignored : .features
        case (.object, .geometries): scope = isObject ? .ignored : .geometries
        case (.object, .coordinates): scope = isObject ? .ignored : .coordinates
        case (.object, .properties), (.properties, .properties): scope = isObject ? .properties : .ignored
        // Some programs write the times under two names.
        case (.properties, .times): scope = isObject || feature.hasTimes ? .ignored : .times
        default: scope = .ignored
        }
        if case .object(isFeature: true) = scope { clearFeature() }
        position.removeAll(keepingCapacity: true)
        key = .other
        scopes.append(scope)
    }

    private func end() {
        key = .other
        switch scopes.popLast() {
        case .object(isFeature: true)?:
            if isFeatureUsed { points = GeoJSONFeature.Points(of: feature, after: segment) }
            if points?.emit(to: collector) == false { points = nil }
            segment = feature.segment
            // A collection has no positions of its own after its features.
            clearFeature()
        case .coordinates?:
            isFeatureUsed = true
            if position.isEmpty { feature.endLine() } else { feature.append(position: position) }
            position.removeAll(keepingCapacity: true)
        default: break
        }
    }

    private func clearFeature() {
        guard isFeatureUsed else { return }
        feature = GeoJSONFeature()
        isFeatureUsed = false
    }

    private func process(text: ValueText) {
        isFeatureUsed = true
        switch (scopes.last, key) {
        case (.times, _): feature.append(time: text.time)
        case (.object, .type): process(type: text.text ?? "")
        case (.properties, .time), (.properties, .times):
            feature.time = text.time
            feature.hasTime = true
        case (.properties, .device): feature.point.location.device = text.text
        case (.coordinates, _): position.append(nil)
        default: break
        }
    }

    private func process(type: String) {
        switch type {
        case "Feature", "FeatureCollection", "GeometryCollection": break
        default: feature.type = type
        }
    }

    private func process(number: Double?) {
        isFeatureUsed = true
        switch (scopes.last, key) {
        case (.coordinates, _): if position.count < 4 { position.append(number) }
        case (.times, _): feature.append(time: number.flatMap(TrackTime.read))
        case (.properties, .time):
            feature.time = number.flatMap(TrackTime.read)
            feature.hasTime = true
        case (.properties, .segment): feature.segment = number.flatMap { 0...1e9 ~= $0 ? Int(clamping: $0) : nil }
        case (.properties, .property(let name)): if let number { feature.set(name, to: number) }
        default: break
        }
    }
}

import LocationCore

/// A reader of a track in XML, which follows the table of its format.
final class XMLTrackReader {
    private let collector: PointCollector
    /// The parser, for the line in messages.
    weak var parser: XMLParser?
    private(set) var fault: LocationError?

    /// The format and the prefix of its own elements, which are those of the first element.
    private var format: XMLFormat?
    private var own: [CChar] = []
    /// Whether the names of receivers in the file are those of locwatch.
    private var namesReceivers = false

    /// The elements around the current one, from the outermost to the innermost.
    private var open: [(role: XMLFormat.Role, scope: XMLFormat.Scope)] = []
    /// Whether the text is read; an element within that of a value ends it.
    private var isReading = false
    private var value = ValueText()

    private var draft = PointDraft()
    /// The point at the position of the placemark.
    private var place: TrackPoint?
    private var isFirstOfSegment = false
    /// The current track of GPX, and the number of those so far.
    private var track: SourceTrack?
    private var trackCount = 0
    /// The values of the current point that no position has.
    private var unread: [UnreadValue] = []
    /// The times and positions of a track of KML that wait for each other.
    private var times: ArraySlice<Timestamp?> = []
    private var places: ArraySlice<TrackPoint?> = []

    /// The number of times that may precede their positions, as in the tracks of Google Earth, and the number of
    /// positions that may precede their times.
    private let limit: (times: Int, places: Int)
    /// The usual limits; the manual names that of the times.
    static let limit = (times: 1_000_000, places: 50_000)

    init(_ collector: PointCollector, limit: (times: Int, places: Int) = XMLTrackReader.limit) {
        self.collector = collector
        self.limit = limit
    }

    private var line: Int { parser?.line ?? 0 }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        if format == nil { begin(name, attributes) }
        guard let format else { return }
        let outer = open.last?.scope ?? .document
        let inner = outer == .point ? .extensions : outer
        isReading = false
        value.clear()
        guard let element = format.element(name, attributes, in: outer, own: own) else {
            return open.append((.group, inner))
        }
        switch element.role {
        case .segment, .pairs: isFirstOfSegment = true
        case .receiver:
            draft = PointDraft()
            trackCount += 1
            track = SourceTrack(number: trackCount)
        case .placemark: (draft, place) = (PointDraft(), nil)
        case .unread(let value): if !unread.contains(value) { unread.append(value) }
        case .point:
            unread.removeAll(keepingCapacity: true)
            guard beginPoint(attributes, format) else { return open.append((.group, outer)) }
        default: isReading = element.role.hasText
        }
        open.append((element.role, element.opens ?? inner))
    }

    /// Finds the format of a document by its first element.
    private func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        format = XMLFormat.all.first { $0.roots.contains { name == $0 } }
        own = Array(name.prefix)
        namesReceivers = attributes.value("creator")?.starts(with: "locwatch".utf8) ?? false
        guard format == nil else { return }
        fault = .malformedTrack("it is XML, but neither GPX, KML nor TCX: its first element is \(name.text)")
    }

    /// Begins a point; returns whether its position is valid as far as it is known.
    private func beginPoint(_ attributes: XMLAttributes, _ format: XMLFormat) -> Bool {
        let device = draft.facts.device
        draft = PointDraft()
        draft.facts.device = device
        draft.track = track
        guard let names = format.position else { return true }
        for (value, name) in [(PointValue.latitude, names.latitude), (.longitude, names.longitude)] {
            if let number = attributes.value(name).flatMap(TrackNumber.read) { draft.set(value, to: number) }
        }
        if draft.place == nil { skip("latitude and longitude") }
        return draft.place != nil
    }

    /// Whether the text that follows is passed to `text(_:)`.
    ///
    /// A text that is too long for a value can have further positions if it is that of a line.
    var wantsText: Bool { isReading && (isLine || !value.isTooLong) }

    private var isLine: Bool { if case .line? = open.last?.role { true } else { false } }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isLine else { return value.append(bytes) }
        // A line can be of any length, so it is split into positions while it is read.
        for byte in bytes {
            if TrackNumber.isSpace(byte) { endPosition() } else { value.append(byte) }
        }
    }

    func end(_ name: XMLName) {
        guard let role = open.popLast()?.role, isReading || !role.hasText else { return }
        isReading = false
        switch role {
        case .group, .segment, .unread: break
        case .receiver: track = nil
        case .trackName: setName()
        case .point(let kind): endPoint(kind)
        case .value(let place): draft.set(place, to: value)
        case .receiverName: if namesReceivers { draft.set(.device, to: value) }
        case .placemark: endPlacemark()
        case .place: place = position()
        case .line: endPosition()
        case .pairs: endPairs()
        case .pairedTime:
            times.append(value.time)
            pair()
        case .pairedPlace:
            places.append(position())
            pair()
        }
    }

    private func endPoint(_ kind: PointCollector.ElementKind) {
        for value in unread { collector.noteUnread(value, of: kind) }
        // A point without a position has another measurement, such as the pulse.
        guard draft.latitude != nil, draft.longitude != nil else { return }
        guard let point = draft.finished else { return skip("latitude and longitude") }
        add(point, kind)
    }

    /// Names the current track, unless the name is that of something else, such as a route.
    private func setName() {
        guard case .receiver? = open.last?.role, let text = value.text, !text.isEmpty else { return }
        track = SourceTrack(number: trackCount, name: text)
    }

    private func endPlacemark() {
        guard var place else { return }
        self.place = nil
        place.location.timestamp = draft.facts.timestamp
        collector.add(place, draft.facts.timestamp == nil ? .waypoint : .route, startsSegment: false)
    }

    private func pair() {
        while let time = times.first, let place = places.first {
            times.removeFirst()
            places.removeFirst()
            add(place, at: time, .track)
        }
        guard times.count > limit.times || places.count > limit.places else { return }
        let cause =
            times.count > limit.times
            ? "more than \(limit.times) times that precede their positions"
            : "more than \(limit.places) positions that precede their times"
        fault = .malformedTrack(line: line, "a gx:Track has \(cause)")
    }

    /// Ends a track of KML; times without a position, or the other way round, are left.
    private func endPairs() {
        for place in places { add(place, at: nil, .track) }
        (times, places) = ([], [])
    }

    private func endPosition() {
        if !value.isEmpty { add(position(), at: nil, .line) }
        value.clear()
    }

    /// Returns the point at a longitude, a latitude and an altitude; zero is written for an unknown altitude.
    private func position() -> TrackPoint? {
        let numbers = value.numbers
        guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1],
            let place = Coordinate(checking: latitude, longitude)
        else {
            skip("longitude and latitude")
            return nil
        }
        return draft.finished(at: place, altitude: numbers.count > 2 && numbers[2] != 0 ? numbers[2] : nil)
    }

    private func skip(_ values: String) {
        collector.skip("line \(line): its \(values) are not numbers in range")
    }

    private func add(_ point: TrackPoint?, at time: Timestamp?, _ kind: PointCollector.ElementKind) {
        guard var point else { return }
        point.location.timestamp = time
        add(point, kind)
    }

    private func add(_ point: TrackPoint, _ kind: PointCollector.ElementKind) {
        collector.add(point, kind, startsSegment: isFirstOfSegment && kind != .waypoint)
        if kind != .waypoint { isFirstOfSegment = false }
    }
}

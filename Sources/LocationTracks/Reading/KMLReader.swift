import LocationCore

/// A reader of KML: gx:Track, else points with a time, else lines.
final class KMLReader: XMLReceiver {
    /// The number of times that may precede their positions, as in the tracks of Google Earth, and the number of
    /// positions that may precede their times.
    private static let limit = (times: 1_000_000, places: 50_000)

    private let collector: PointCollector
    /// The current line, for messages.
    private let line: () -> Int
    private(set) var fault: TrackFault?

    private enum Field { case when, begin, coord, point, line, device }
    private var field: Field?
    private var value = ValueText()
    /// The number of elements around the current one that describe a view, which has times too.
    private var viewDepth = 0
    private var isInTrack = false
    private var isInPoint = false
    private var isInLine = false
    private var isFirstOfSegment = false
    private var own = OwnPrefix()

    // A gx:Track: times and positions are paired in their order.
    private var times = PairQueue<Timestamp?>()
    private var places = PairQueue<TrackPoint?>()

    // A Placemark.
    private var time: Timestamp?
    private var place: TrackPoint?
    /// The name of its receiver, as locwatch writes it.
    private var device: String?
    private var isInDevice = false

    init(_ collector: PointCollector, line: @escaping () -> Int) {
        self.collector = collector
        self.line = line
    }

    private static func isView(_ name: XMLName) -> Bool { name == "LookAt" || name == "Camera" }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        if Self.isView(name) { viewDepth += 1 }
        guard viewDepth == 0 else { return }
        if name == "kml" { own = OwnPrefix(of: name) }
        value.clear()
        field = nil
        // Track and coord are Google's, with a prefix of their own.
        let isForeign = own.isForeign(name)
        if name == "coord" {
            if isInTrack, !isForeign || name.hasPrefix("gx:") { field = .coord }
        } else if name == "Track" {
            (isInTrack, isFirstOfSegment) = (true, true)
        } else if isForeign {
            return
        } else if name == "when" {
            field = .when
        } else if name == "begin" {
            field = .begin
        } else if name == "coordinates" {
            if isInPoint { field = .point } else if isInLine { field = .line }
        } else if name == "Point" {
            isInPoint = true
        } else if name == "LineString" {
            (isInLine, isFirstOfSegment) = (true, true)
        } else if name == "Placemark" {
            (time, place, device) = (nil, nil, nil)
        } else if name == "Data" {
            attributes.forEach { name, text in if name == "name" { isInDevice = text.elementsEqual("device".utf8) } }
        } else if name == "value", isInDevice {
            field = .device
        }
    }

    // A text that is too long for a value can have further positions if it is that of a line.
    var wantsText: Bool { field == .line || field != nil && !value.isTooLong }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard field == .line else { return value.append(bytes) }
        // A line can be of any length, so it is split into positions while it is read.
        for byte in bytes {
            if TrackNumber.isSpace(byte) { endPosition() } else { value.append(byte) }
        }
    }

    func end(_ name: XMLName) {
        if Self.isView(name) { viewDepth = max(0, viewDepth - 1) }
        guard viewDepth == 0 else { return }
        if let field {
            switch field {
            case .when: if isInTrack { pair { times.append(value.time) } } else { time = value.time ?? time }
            case .begin: time = time ?? value.time
            case .coord: pair { places.append(point(value.numbers)) }
            case .point: place = point(value.numbers)
            case .line: endPosition()
            case .device: device = value.text.flatMap { $0.isEmpty ? nil : $0 }
            }
            self.field = nil
        }
        if name == "Track" {
            isInTrack = false
            // Times without a position, or the other way round, are left.
            while let place = places.next() { add(place, time: nil) }
            times.clear()
        } else if name == "Point" {
            isInPoint = false
        } else if name == "LineString" {
            isInLine = false
        } else if name == "Data" {
            isInDevice = false
        } else if name == "Placemark", var place {
            place.location.timestamp = time
            collector.add(place, time == nil ? .waypoint : .route, startsSegment: false)
            self.place = nil
        }
    }

    private func pair(_ append: () -> Void) {
        append()
        while !times.isEmpty, !places.isEmpty, let time = times.next(), let place = places.next() {
            add(place, time: time)
        }
        if times.count > Self.limit.times {
            fault = .malformed(
                line: line(), cause: "a gx:Track has more than \(Self.limit.times) times that precede their positions")
        } else if places.count > Self.limit.places {
            fault = .malformed(
                line: line(), cause: "a gx:Track has more than \(Self.limit.places) positions that precede their times")
        }
    }

    private func add(_ place: TrackPoint?, time: Timestamp?) {
        guard var place else { return }
        place.location.timestamp = time
        collector.add(place, .track, startsSegment: isFirstOfSegment)
        isFirstOfSegment = false
    }

    private func endPosition() {
        defer { value.clear() }
        guard !value.isEmpty, let place = point(value.numbers) else { return }
        collector.add(place, .line, startsSegment: isFirstOfSegment)
        isFirstOfSegment = false
    }

    /// Returns the point of a longitude, a latitude and an altitude; zero is written for an unknown altitude.
    private func point(_ numbers: [Double?]) -> TrackPoint? {
        guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1],
            let coordinate = Coordinate(checking: latitude, longitude)
        else {
            collector.skip("line \(line()): its longitude and latitude are not numbers in range")
            return nil
        }
        let altitude = numbers.count > 2 ? numbers[2].flatMap { $0 == 0 ? nil : $0 } : nil
        return TrackPoint(
            Location(
                coordinate: coordinate, fix: altitude == nil ? .twoD : .threeD, device: device, altitudeMSL: altitude))
    }
}

/// The elements of one list that wait for those of another.
private struct PairQueue<Element> {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? {
        guard head < elements.count else { return nil }
        head += 1
        let element = elements[head - 1]
        if head == elements.count { clear() }
        return element
    }

    mutating func clear() {
        elements.removeAll(keepingCapacity: head < 1024)
        head = 0
    }
}

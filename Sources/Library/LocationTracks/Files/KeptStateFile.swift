package import LocationCore
import GPSDProtocol

/// The sum of an odometer, and the epoch up to which it counts.
package struct OdometerReading: Hashable, Sendable {
    /// The sums in metres that are believed: a thousand times the way of any vehicle.
    package static let metres = 0.0...1e12

    package var metres: Double
    package var time: Timestamp?

    package init(metres: Double, time: Timestamp? = nil) { (self.metres, self.time) = (metres, time) }
}

/// The distance of all sessions and the states of the fences, which a program keeps from one run to the next.
package struct KeptState: Hashable, Sendable {
    package var odometer: OdometerReading
    package var fences: [FenceRecord]

    package init(odometer: OdometerReading = OdometerReading(metres: 0), fences: [FenceRecord] = []) {
        (self.odometer, self.fences) = (odometer, fences)
    }
}

/// The file of an odometer and of the states of fences, with which a program goes on after a restart.
///
/// Its first line names the format, and has the sum and the time of its epoch. Each other line is about one fence, in a fleet about one
/// fence and one device: a JSON object with the state, the place and radius for which it holds, and the last event. `StateFile` says what
/// is left after a kill and a power cut, and how a second program is refused.
///
/// The two files of release 0.5, one for the odometer and one for the fences, are read, too, and become files of this format.
package final class KeptStateFile: Sendable {
    private static let schema = "locwatch-state/1"
    private static let formerSchemas = ["locwatch-odometer/1", "locwatch-fences/1"]
    /// The size of a file in bytes beyond which it is none of these: a line for each of the 40,000 devices of a fleet.
    private static let mostBytes = 16 << 20

    /// The state that the file had.
    package let beginning: KeptState
    private let limit: Int
    private let file: StateFile

    /// Opens the file at a path, which stays as it is until `write`, or creates it; an empty file counts as a missing one.
    package convenience init(_ path: String) throws(TrackFileError) {
        try self.init(path, in: SystemStorage(for: path))
    }

    init(_ path: String, in storage: any TrackStorage, limit: Int = KeptStateFile.mostBytes) throws(TrackFileError) {
        var found = KeptState()
        file = try StateFile(path, in: storage, limit: limit) { (bytes) throws(TrackFileError) in
            guard !bytes.isEmpty else { return Self.text(of: found, limit: limit) }
            guard bytes.count <= limit else { throw .foreign(path: path, cause: "it has more than \(limit) bytes") }
            let schema: String
            (found, schema) = try Self.state(in: bytes, path)
            return schema == Self.schema ? bytes : Self.text(of: found, limit: limit)
        }
        beginning = found
        self.limit = limit
    }

    /// Returns the records with which a session of some fences begins, one at least for each fence.
    ///
    /// A fence whose place or radius is not that of the file is a new one, and so is one that the file has for another kind of source.
    ///
    /// - Parameter namesDevices: Whether the session is of a fleet, whose devices have records of their own.
    package func records(of fences: [Fence], namesDevices: Bool) -> [FenceRecord] {
        let found = Dictionary(grouping: beginning.fences, by: \.fence.name)
        return fences.flatMap { fence in
            let known = (found[fence.name] ?? [])
                .filter { $0.fence.shape == fence.shape && ($0.device != nil) == namesDevices }
                .map {
                    FenceRecord(fence, device: $0.device, state: $0.state, lastEvent: $0.lastEvent, place: $0.place)
                }
            return known.isEmpty ? [Self.new(fence)] : known
        }
    }

    private static func new(_ fence: Fence) -> FenceRecord {
        FenceRecord(fence, device: nil, state: .unknown, lastEvent: nil, place: nil)
    }

    /// Replaces the file by one with another state.
    package func write(_ state: KeptState) throws(TrackFileError) {
        try file.write(Self.text(of: state, limit: limit))
    }

    // MARK: Text

    /// Returns the text of a state; of more records of fences than fit it has those with the newest events.
    private static func text(of state: KeptState, limit: Int) -> [UInt8] {
        let records = state.fences
        var header = TextBuffer()
        header.object { object in
            object.member("schema", schema)
            object.member("metres", state.odometer.metres)
            object.member("time", state.odometer.time)
        }
        header.put("\n")
        let lines = records.compactMap { record in line(of: record).map { (record: record, bytes: $0) } }
        var left = limit - header.bytes.count
        guard lines.reduce(0, { $0 + $1.bytes.count }) > left else { return header.bytes + lines.flatMap { $0.bytes } }
        var kept = Set<Int>()
        for index in lines.indices.sorted(by: { lines[$0].record.isNewer(than: lines[$1].record) }) {
            left -= lines[index].bytes.count
            guard left >= 0 else { break }
            kept.insert(index)
        }
        return header.bytes + lines.indices.filter(kept.contains).flatMap { lines[$0].bytes }
    }

    /// Returns the line of a record, or `nil` for a polygon, which no option declares.
    private static func line(of record: FenceRecord) -> [UInt8]? {
        let isAnchor: Bool
        let place: Coordinate?
        let size: Double
        switch record.fence.shape {
        case .circle(let center, let radius): (isAnchor, place, size) = (false, center, radius)
        case .anchor(let radius): (isAnchor, place, size) = (true, record.place, radius)
        case .polygon: return nil
        }
        var text = TextBuffer()
        text.object { object in
            object.member("fence", record.fence.name)
            object.member("device", record.device)
            object.member("state", record.state.word)
            if isAnchor { object.member("anchor", true) }
            object.put(place)
            object.member("radius", size)
            guard let event = record.lastEvent else { return }
            object.object("last") { last in
                last.member("event", event.kind.rawValue)
                last.member("time", event.time)
                last.put(event.coordinate)
            }
        }
        text.put("\n")
        return text.bytes
    }

    /// Returns the state in a file, all of whose lines must be whole and known, and the name of its format.
    private static func state(in bytes: [UInt8], _ path: String) throws(TrackFileError) -> (KeptState, schema: String) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var first = lines.first.flatMap(value)
        // An odometer of release 0.5 is one object, which an editor can have spread over several lines.
        if first == nil, let whole = value(of: bytes[...]), whole["schema"]?.text == formerSchemas[0] {
            (first, lines) = (whole, [bytes[...]])
        }
        guard let first, let found = first["schema"]?.text, found == schema || formerSchemas.contains(found) else {
            throw .foreign(path: path, cause: "it has no state that this locwatch can read")
        }
        var state = KeptState()
        if first["metres"] != nil || found == formerSchemas[0] {
            guard let sum = first["metres"]?.number, OdometerReading.metres ~= sum else {
                throw .foreign(path: path, cause: "its metres are not a number from 0 to 1e12")
            }
            state.odometer = OdometerReading(metres: sum, time: first["time"]?.text.flatMap { Timestamp($0) })
        }
        for (index, line) in lines.enumerated().dropFirst() {
            guard let record = value(of: line).flatMap(Self.record) else {
                throw .foreign(path: path, cause: "its line \(index + 1) is not the state of a fence")
            }
            state.fences.append(record)
        }
        return (state, found)
    }

    private static func value(of line: ArraySlice<UInt8>) -> JSONValue? { line.withUnsafeBytes { JSONValue($0) } }

    private static let members: Set = ["fence", "device", "state", "anchor", "lat", "lon", "radius", "last"]

    private static func record(of object: JSONValue) -> FenceRecord? {
        let (device, isAnchor) = (object["device"]?.text, object["anchor"]?.flag)
        let (place, last) = (coordinate(of: object), object["last"].flatMap(event))
        // A member of another kind is not a missing one.
        let areWhole = [
            ("device", device != nil), ("anchor", isAnchor != nil), ("lat", place != nil), ("lon", place != nil),
            ("last", last != nil),
        ].allSatisfy { (object[$0] != nil) == $1 }
        guard areWhole, object.members.keys.allSatisfy(members.contains), let name = object["fence"]?.text,
            let state = FenceRecord.State.allCases.first(where: { $0.word == object["state"]?.text }),
            let radius = object["radius"]?.number
        else { return nil }
        let circle = place.map { Fence.Shape.circle(center: $0, radius: radius) }
        guard let shape = isAnchor == true ? .anchor(radius: radius) : circle,
            let fence = try? Fence(name: name, shape: shape)
        else { return nil }
        return FenceRecord(fence, device: device, state: state, lastEvent: last, place: place)
    }

    private static func event(of object: JSONValue) -> FenceRecord.Event? {
        guard let kind = object["event"]?.text.flatMap(FenceEvent.Kind.init(rawValue:)),
            let time = object["time"]?.text.flatMap({ Timestamp($0) }), let place = coordinate(of: object)
        else { return nil }
        return FenceRecord.Event(kind: kind, time: time, coordinate: place)
    }

    private static func coordinate(of object: JSONValue) -> Coordinate? {
        guard let latitude = object["lat"]?.number, let longitude = object["lon"]?.number else { return nil }
        return Coordinate(checking: latitude, longitude)
    }
}

extension FenceRecord {
    fileprivate func isNewer(than other: FenceRecord) -> Bool {
        guard let time = lastEvent?.time else { return false }
        return other.lastEvent.map { time > $0.time } ?? true
    }
}

extension FenceRecord.State {
    /// The state as people call it.
    fileprivate var word: String {
        switch self {
        case .satisfied: "inside"
        case .unsatisfied: "outside"
        case .unknown: "unknown"
        }
    }
}

extension TextBuffer {
    fileprivate mutating func put(_ coordinate: Coordinate?) {
        member("lat", coordinate?.latitude)
        member("lon", coordinate?.longitude)
    }
}

package import LocationCore
import LocationRecordings
import LocwatchSupport

/// The sum of an odometer, and the epoch up to which it counts.
package struct OdometerReading: Hashable, Sendable {
    package var metres: Double
    package var time: Timestamp?

    package init(metres: Double, time: Timestamp? = nil) { (self.metres, self.time) = (metres, time) }
}

/// The file of an odometer, which is a line of JSON with the sum and the time of its epoch.
///
/// Each reading replaces the file as a whole: it is written under a temporary name, waited for until it is on the disk, and renamed. A
/// program that is killed, and a power cut, leave one of the last two readings, and never a part of one. The rename itself may
/// wait in the system's memory when the power is cut, which leaves the reading before it.
///
/// The file and each one that replaces it are locked before they have the name, so that a second program never finds an unlocked one,
/// and fails with `TrackFileError.inUse`.
package final class OdometerFile: Sendable {
    private static let schema = "locwatch-odometer/1"
    /// The size of a file in bytes beyond which it is none of these.
    private static let mostBytes = 4096
    /// The sums in metres that are believed: a thousand times the way of any vehicle.
    package static let metres = 0.0...1e12

    /// The reading with which the odometer goes on.
    package let beginning: OdometerReading
    private let path: String
    /// The path of the file, with links resolved.
    private let place: String
    private let storage: any TrackStorage
    /// The file that has the name, whose lock ends when it is released.
    private let file: Lock<(any StoredFile)?>

    /// Opens the file at a path, or creates it with a distance of 0; an empty file counts as a missing one.
    package convenience init(_ path: String) throws(TrackFileError) {
        try self.init(path, in: SystemStorage(for: path))
    }

    init(_ path: String, in storage: any TrackStorage) throws(TrackFileError) {
        self.path = path
        self.storage = storage
        place = storage.resolved(path)
        let old = try storage.open(place)
        beginning =
            try old.map { (old) throws(TrackFileError) in
                try Self.reading(of: old.read(at: 0, count: Self.mostBytes + 1), path)
            } ?? OdometerReading(metres: 0)
        storage.removeStaleDrafts(of: place)
        // A folder in which nothing can be written is found before the session begins.
        file = Lock(try Self.replacement(of: place, with: beginning, overwrites: old != nil, in: storage))
    }

    /// Replaces the file by one with another reading.
    package func write(_ reading: OdometerReading) throws(TrackFileError) {
        try file.withLock { (file) throws(TrackFileError) in
            let isInPlace = file?.size(at: place) != nil
            if !isInPlace, try storage.open(place) != nil {
                throw .foreign(path: path, cause: "another program has replaced it")
            }
            file = try Self.replacement(of: place, with: reading, overwrites: isInPlace, in: storage)
        }
    }

    /// Writes a file with a reading in the place of another one, or as a new one; returns it with its lock.
    private static func replacement(
        of place: String, with reading: OdometerReading, overwrites: Bool, in storage: any TrackStorage
    ) throws(TrackFileError) -> sending (any StoredFile)? {
        var draft = try FileReplacement(of: place, overwrites: overwrites, in: storage)
        try draft.write(Self.line(of: reading))
        do throws(TrackFileError) { return try draft.place() } catch {
            // Another program has created the file since it was found missing.
            if case .exists(let path) = error { throw .inUse(path: path) }
            throw error
        }
    }

    private static func line(of reading: OdometerReading) -> [UInt8] {
        var text = TextBuffer()
        text.object { object in
            object.member("schema", schema)
            object.member("metres", reading.metres)
            object.member("time", reading.time)
        }
        text.put("\n")
        return text.bytes
    }

    private static func reading(of bytes: [UInt8], _ path: String) throws(TrackFileError) -> OdometerReading {
        guard !bytes.isEmpty else { return OdometerReading(metres: 0) }
        guard bytes.count <= mostBytes, let object = bytes.withUnsafeBytes({ JSONValue($0) }),
            object["schema"]?.text == schema
        else { throw .foreign(path: path, cause: "it is not an odometer of locwatch") }
        guard let sum = object["metres"]?.number, metres ~= sum else {
            throw .foreign(path: path, cause: "its metres are not a number from 0 to 1e12")
        }
        return OdometerReading(metres: sum, time: object["time"]?.text.flatMap { Timestamp($0) })
    }
}

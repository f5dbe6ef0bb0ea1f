package import LocationCore
import GPSDProtocol

/// The sum of an odometer, and the epoch up to which it counts.
package struct OdometerReading: Hashable, Sendable {
    package var metres: Double
    package var time: Timestamp?

    package init(metres: Double, time: Timestamp? = nil) { (self.metres, self.time) = (metres, time) }
}

/// The file of an odometer, which is a line of JSON with the sum and the time of its epoch.
///
/// `StateFile` says what is left after a kill and a power cut, and how a second program is refused.
package final class OdometerFile: Sendable {
    private static let schema = "locwatch-odometer/1"
    /// The size of a file in bytes beyond which it is none of these.
    private static let mostBytes = 4096
    /// The sums in metres that are believed: a thousand times the way of any vehicle.
    package static let metres = 0.0...1e12

    /// The reading with which the odometer goes on.
    package let beginning: OdometerReading
    private let file: StateFile

    /// Opens the file at a path, or creates it with a distance of 0; an empty file counts as a missing one.
    package convenience init(_ path: String) throws(TrackFileError) {
        try self.init(path, in: SystemStorage(for: path))
    }

    init(_ path: String, in storage: any TrackStorage) throws(TrackFileError) {
        var found = OdometerReading(metres: 0)
        file = try StateFile(path, in: storage, limit: Self.mostBytes) { (bytes) throws(TrackFileError) in
            found = try Self.reading(of: bytes, path)
            return Self.line(of: found)
        }
        beginning = found
    }

    /// Replaces the file by one with another reading.
    package func write(_ reading: OdometerReading) throws(TrackFileError) { try file.write(Self.line(of: reading)) }

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

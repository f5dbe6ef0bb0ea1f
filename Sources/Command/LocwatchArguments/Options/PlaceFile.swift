import LocationCore
import GPSDProtocol
import LocationTracks
import LocwatchPlatform
import LocwatchTerminal

/// A file with a place, for which `@FILE` stands where a place is asked for.
///
/// It has what `once` prints: JSON, of whose positions the last one counts, or a place in text with a height after it. The lines of
/// /etc/geolocation are such a text, too: a latitude, a longitude and a height, each in a line, and comments after #.
enum PlaceFile {
    /// The mark before the name of a file.
    static let mark = "@"
    private static let sizeLimit = 1 << 20

    /// Returns the place in a file, with its height above sea level if it has one.
    static func read(_ path: String) throws(UsageError) -> ReferencePoint {
        guard !path.isEmpty else { throw UsageError(allowed: "the path of a file after \(mark)") }
        let text: String
        do throws(SystemFailure) { text = try FileText.contents(of: path, limit: sizeLimit) } catch {
            throw UsageError(value: "cannot read \(path.printable): \(error.reason)")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard let point = position(in: lines) ?? place(in: lines) else {
            throw UsageError(
                value:
                    "\(path.printable) has no place: expected a position as 'once --json' prints it, or \(PlaceText.allowed)"
            )
        }
        return point
    }

    /// Returns the last position in lines of JSON.
    private static func position(in lines: [Substring]) -> ReferencePoint? {
        for line in lines.reversed() where line.utf8.first == UInt8(ascii: "{") {
            var line = String(line)
            let object = line.withUTF8 { JSONValue(UnsafeRawBufferPointer($0)) }
            guard let latitude = object?["lat"]?.number, let longitude = object?["lon"]?.number,
                let coordinate = Coordinate(checking: latitude, longitude)
            else { continue }
            return ReferencePoint(coordinate, height: object?["altMSL"]?.number)
        }
        return nil
    }

    /// Returns the place in lines of text, of which each can have a comment.
    private static func place(in lines: [Substring]) -> ReferencePoint? {
        var parts = lines.map { $0.prefix { $0 != "#" } }
            .flatMap { $0.split(separator: ",") }
            .map(\.trimmed)
            .filter { !$0.isEmpty }[...]
        guard let coordinate = try? PlaceText.read(&parts) else { return nil }
        return ReferencePoint(coordinate, height: parts.first.flatMap { PlainNumber.read($0, signed: true) })
    }
}

extension ReferencePoint {
    /// The heights above mean sea level in metres that a point can have: from the deepest trench to the end of the atmosphere.
    static let heights = -12_000.0...100_000

    /// Creates the point at the beginning of some parts, which a file can have, and removes the parts of it.
    init(at parts: inout ArraySlice<Substring>) throws(UsageError) {
        if let first = parts.first, first.hasPrefix(PlaceFile.mark) {
            parts = parts.dropFirst()
            let point = try PlaceFile.read(String(first.dropFirst(PlaceFile.mark.count)))
            let height = point.height.flatMap { Self.heights ~= $0 ? $0 : nil }
            self.init(point.coordinate, height: height)
            return
        }
        do throws(InvalidValue) { self.init(try PlaceText.read(&parts)) } catch {
            throw UsageError(value: error.description)
        }
    }
}

package import LocationCore

/// A writer of a session as a recording: gpsd's lines unchanged, with a mark wherever time has passed.
///
/// Every reader of gpsd's protocol can read the result; locwatch replays it with the arrival times of the lines.
package struct RecordingWriter: Hashable, Sendable {
    package static let format = 1

    private var marked: Duration?
    private var started: Timestamp?
    /// The drift between the host's clock and the recording's above which a mark is written.
    private static let clockTolerance = Duration.milliseconds(100)
    private static let markPrefix = Array(#"{"class":"\#(RecordingMark.className)""#.utf8)

    package init() {}

    /// Returns the first line, which has the origin of the session, the version of the program and the beginning.
    ///
    /// - Parameter isFleet: Whether the devices are machines, each with a position of its own.
    package mutating func header(
        source: String, version: String, at moment: Moment, isFleet: Bool = false
    ) -> [UInt8] {
        let start = moment.wall.advanced(by: .zero - moment.elapsed)
        started = start
        var fields = [
            #""format":\#(Self.format)"#, #""version":\#(JSONText.quoted(version))"#,
            #""source":\#(JSONText.quoted(source))"#, #""started":"\#(start)""#,
        ]
        if isFleet { fields.append(#""fleet":true"#) }
        return line(fields)
    }

    /// Returns the bytes to write for a line of gpsd that arrived at `moment`: the line, after a mark if time has
    /// passed.
    ///
    /// A carriage return and newline are appended as far as the line's end is missing.
    package mutating func record(_ line: some Collection<UInt8>, at moment: Moment) -> [UInt8] {
        // The mark of another recording, passed on by a program that replays it, would be taken for one of this
        // recording.
        guard !line.starts(with: Self.markPrefix) else { return [] }
        var bytes = mark(moment)
        let lengthOfMark = bytes.count
        bytes.append(contentsOf: line)
        // gpsd ends its lines with both; its own Python library cannot read a line that ends with only a newline.
        switch bytes[lengthOfMark...].last {
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "\n"))
        default: bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }
        return bytes
    }

    private mutating func mark(_ moment: Moment) -> [UInt8] {
        var fields: [String] = []
        // A mark has six decimals.
        let (seconds, attoseconds) = max(.zero, moment.elapsed).components
        let micros = Int(attoseconds / 1_000_000_000_000)
        let elapsed = Duration.seconds(seconds) + .microseconds(micros)
        if marked != elapsed {
            marked = elapsed
            fields.append(#""at":\#(seconds).\#(DecimalText.padded(micros, to: 6))"#)
        }
        let start = moment.wall.advanced(by: .zero - moment.elapsed)
        if started.map({ abs(start.since($0)) > Self.clockTolerance }) ?? true {
            started = start
            fields.append(#""started":"\#(start)""#)
        }
        return fields.isEmpty ? [] : line(fields)
    }

    private func line(_ fields: [String]) -> [UInt8] {
        Array((#"{"class":"\#(RecordingMark.className)","# + fields.joined(separator: ",") + "}\r\n").utf8)
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

public import LocationCore

/// Writes a session as a recording: gpsd's lines untouched, and a line of its own where time has passed.
///
/// Every reader of gpsd's language can read the result; locwatch replays it with the times at which the lines arrived.
public struct RecordingWriter: Hashable, Sendable {
    /// The version of the format that is written.
    public static let format = 1

    private var marked: Duration?
    private var started: Timestamp?
    /// How far the host's clock may drift from the recording's before the recording is told.
    private static let clockTolerance = Duration.milliseconds(100)
    private static let markPrefix = Array(#"{"class":"\#(RecordingMark.className)""#.utf8)

    /// A writer that has not written anything yet.
    public init() {}

    /// The first line; `source` tells where the session comes from.
    public mutating func header(source: String, version: String, at moment: Moment) -> [UInt8] {
        let start = moment.wall.advanced(by: .zero - moment.elapsed)
        started = start
        let fields = [
            #""format":\#(Self.format)"#, #""version":\#(JSONText.quoted(version))"#,
            #""source":\#(JSONText.quoted(source))"#, #""started":"\#(start)""#,
        ]
        return line(fields)
    }

    /// What is to be written for a line of gpsd's that arrived at `moment`: the line, after a mark where time has passed.
    ///
    /// The line may come with its end or without: what is missing of carriage return and newline is added.
    public mutating func record(_ line: some Collection<UInt8>, at moment: Moment) -> [UInt8] {
        // The mark of another recording, passed on by whatever plays it, would be taken for one of this recording.
        guard !line.starts(with: Self.markPrefix) else { return [] }
        var bytes = mark(moment)
        let lengthOfMark = bytes.count
        bytes.append(contentsOf: line)
        // gpsd ends its lines with both; its own Python library does not read a line that has only the newline.
        switch bytes[lengthOfMark...].last {
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "\n"))
        default: bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }
        return bytes
    }

    private mutating func mark(_ moment: Moment) -> [UInt8] {
        var fields: [String] = []
        let elapsed = max(.zero, moment.elapsed).wholeMicroseconds
        if marked != elapsed {
            marked = elapsed
            fields.append(#""at":\#(elapsed.secondsText)"#)
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

extension Duration {
    fileprivate var wholeMicroseconds: Duration {
        let (seconds, attoseconds) = components
        return .seconds(seconds) + .microseconds(attoseconds / 1_000_000_000_000)
    }

    /// Seconds with six digits after the point.
    fileprivate var secondsText: String {
        let (seconds, attoseconds) = components
        let micros = String(attoseconds / 1_000_000_000_000)
        return "\(seconds)." + String(repeating: "0", count: 6 - micros.count) + micros
    }
}

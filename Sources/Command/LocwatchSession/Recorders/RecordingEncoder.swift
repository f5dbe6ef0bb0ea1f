package import LocationCore
import GPSDProtocol
package import LocwatchArguments
import LocwatchTerminal

/// An encoder that gathers the lines of a session as a recording.
package struct RecordingEncoder {
    private let start: Moment
    private var writer = RecordingWriter()
    private var bytes: [UInt8]
    private var lines = 0

    /// Creates an encoder that has gathered the header of a recording.
    package init(of source: SourceWord, at start: Moment) {
        self.start = start
        bytes = writer.header(
            source: source.description, version: Version.number, at: start, isFleet: source.isFleet)
    }

    package mutating func append(_ line: some Collection<UInt8>, at moment: Moment) {
        // A line of a recording without times gets the time at which it is recorded again.
        let hasTime = moment.wall.nanosecondsSince1970 != 0
        bytes += writer.record(line, at: hasTime ? moment : start)
        lines += 1
    }

    /// Returns and removes the gathered bytes with their number of lines, or `nil` if there are none.
    package mutating func pop() -> (bytes: [UInt8], lines: Int)? {
        guard !bytes.isEmpty else { return nil }
        defer {
            bytes = []
            lines = 0
        }
        return (bytes, lines)
    }
}

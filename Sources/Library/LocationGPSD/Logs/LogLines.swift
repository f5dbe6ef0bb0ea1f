import LocationRecordings
import LocwatchPlatform

/// The lines of a gpsd about a log: those for the reader of the log, and what the others tell.
struct LogLines {
    /// The name of the receiver in the lines for the reader.
    private static let device = "stdin"
    /// The number of bytes of lines that are kept until one of them is of use.
    private static let doubtfulLimit = 32_768

    /// Whether the first bytes of the log look like a receiver's.
    private let isFamiliar: Bool
    private var reader = LineReader(limit: 1 << 20)
    /// The lines that may be noise, until one is of use.
    private var doubtful: [UInt8] = []
    var waiting: [UInt8] = []
    var dates = LogDates()
    /// Whether gpsd sends its reports.
    private(set) var isWatching = false
    /// Whether gpsd has answered the question after a piece.
    var isAnswered = false
    /// Whether gpsd has answered the question after the last piece.
    private(set) var isAtEnd = false
    /// Whether gpsd has closed the log, as it does at the line `# EOF` of the logs of its own tests.
    private(set) var hasEnded = false
    /// Whether there was a line of use.
    private(set) var hasResult = false

    init(isFamiliar: Bool) { self.isFamiliar = isFamiliar }

    /// Processes the next bytes of gpsd.
    mutating func process(_ chunk: UnsafeRawBufferPointer) {
        // Moved out of `self` while it runs, because its body mutates the rest.
        var reader = LineReader()
        swap(&reader, &self.reader)
        reader.feed(chunk) { line in
            if case .line(let bytes) = line { process(line: bytes) }
        }
        swap(&reader, &self.reader)
    }

    private mutating func process(line: UnsafeRawBufferPointer) {
        if isAnswer(line) { return }
        // A log can contain the lines of another gpsd, which this one repeats; their devices have other names.
        guard let place = line.range(of: #""device":"/dev/stdin""#) else { return }
        let start = waiting.count
        waiting += line[..<place.lowerBound]
        waiting += #""device":"\#(Self.device)""#.utf8
        waiting += line[place.upperBound...]
        waiting.append(UInt8(ascii: "\n"))
        if let time = line.range(of: #""time":""#), case let text = line[time.upperBound...].prefix(LogDates.length),
            text.count == LogDates.length, let date = dates.corrected(UnsafeRawBufferPointer(rebasing: text))
        {
            let shift = place.upperBound <= time.lowerBound ? #"/dev/stdin"#.utf8.count - Self.device.utf8.count : 0
            let first = start + time.upperBound - shift
            waiting.replaceSubrange(first..<first + LogDates.length, with: date)
        }
        guard !hasResult else { return }
        hasResult = isOfUse(line) || doubtful.count > Self.doubtfulLimit
        if hasResult {
            waiting = doubtful + waiting
            doubtful = []
        } else {
            doubtful += waiting
            waiting = []
        }
    }

    /// Returns whether a line answers a command, or is about the device as such.
    private mutating func isAnswer(_ line: UnsafeRawBufferPointer) -> Bool {
        func isOf(_ name: StaticString) -> Bool {
            UnsafeRawBufferPointer(rebasing: line.prefix(name.utf8CodeUnitCount)).range(of: name) != nil
        }
        if isOf(#"{"class":"WATCH""#) {
            isWatching = true
        } else if isOf(#"{"class":"POLL""#) {
            isAtEnd = true
        } else if isOf(#"{"class":"VERSION""#) {
            isAnswered = true
        } else if isOf(#"{"class":"DEVICE","path":"/dev/stdin""#) {
            if line.range(of: #""activated":0"#) != nil { hasEnded = true }
        } else {
            return false
        }
        return true
    }

    /// Returns whether a line shows that gpsd decodes the messages of a receiver.
    ///
    /// gpsd makes reports without content of a text that mentions a sentence, and corrections of noise now and then: RTCM 2 has a
    /// checksum of six bits.
    private func isOfUse(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.range(of: #""class":"RTCM2""#) == nil else { return false }
        let marks: [StaticString] = [#""lat""#, #""time""#, #""satellites""#, #""mmsi""#]
        return isFamiliar || marks.contains { line.range(of: $0) != nil }
    }
}

import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// The lines of a gpsd about a log: those for the reader of the log, and what the others tell.
struct LogLines: ~Copyable {
    /// The number of bytes of lines that are kept until one of them is of use.
    private static let doubtfulLimit = 32_768

    /// Whether the first bytes of the log look like a receiver's.
    private let isFamiliar: Bool
    private var reader = LineReader(limit: 1 << 20)
    /// The lines that may be noise, until one is of use.
    private var doubtful: [UInt8] = []
    var waiting: [UInt8] = []
    var dates = LogDates()
    /// Whether a position without a time waits for the other reports of its epoch, of which the last one of a coordinate counts.
    var holdsPositions = false
    private var held: [UInt8] = []
    /// Whether gpsd sends its reports.
    private(set) var isWatching = false
    /// The last question, which no log can contain, so that the answer to it is gpsd's own.
    private var question = (session: UInt64.random(in: 0...UInt64.max), number: 0)
    /// Whether gpsd has answered the last question.
    private(set) var isAnswered = false
    /// Whether there was a line of use.
    private(set) var hasResult = false

    init(isFamiliar: Bool) { self.isFamiliar = isFamiliar }

    /// Returns the next question to gpsd, which it answers with an error that repeats it.
    mutating func nextQuestion() -> String {
        question.number += 1
        isAnswered = false
        return "?\(name);"
    }

    private var name: String { "LOCWATCH-\(question.session)-\(question.number)-" }

    /// Whether a position waits for the other reports of its epoch.
    var isHolding: Bool { !held.isEmpty }

    /// Adds the position that waits, because no other report of its epoch is expected.
    mutating func release() {
        if hasResult { waiting += held } else { doubtful += held }
        held = []
    }

    /// Processes the next bytes of gpsd.
    mutating func process(_ chunk: UnsafeRawBufferPointer) {
        var place = 0
        while let line = reader.next(in: chunk, from: &place) {
            if case .line(let bytes) = line { process(line: bytes) }
        }
    }

    private mutating func process(line: UnsafeRawBufferPointer) {
        if isAnswer(line) { return }
        // A log can contain the lines of another gpsd, which this one repeats; their devices have other names.
        guard let place = line.range(of: #""device":"/dev/stdin""#) else { return }
        // A log has no device, as a track has none; gpsd names its standard input.
        var device = place
        if device.upperBound < line.count, line[device.upperBound] == UInt8(ascii: ",") {
            device = device.lowerBound..<device.upperBound + 1
        }
        let start = waiting.count
        waiting += line[..<device.lowerBound]
        waiting += line[device.upperBound...]
        waiting.append(UInt8(ascii: "\n"))
        let time = line.range(of: #""time":""#)
        if let time, case let text = line[time.upperBound...].prefix(LogDates.length),
            text.count == LogDates.length, let date = dates.corrected(UnsafeRawBufferPointer(rebasing: text))
        {
            let shift = device.upperBound <= time.lowerBound ? device.count : 0
            let first = start + time.upperBound - shift
            waiting.replaceSubrange(first..<first + LogDates.length, with: date)
        }
        if holdsPositions, time == nil, line.range(of: #""class":"TPV""#) != nil {
            let position = Array(waiting[start...])
            waiting.removeSubrange(start...)
            if isHolding, Self.coordinate(of: position) != Self.coordinate(of: held) { release() }
            held = position
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

    /// Returns the text of the coordinate in a report, which has the longitude after the latitude.
    private static func coordinate(of report: [UInt8]) -> [UInt8] {
        report.withUnsafeBytes { report in
            guard let place = report.range(of: #""lat":"#) else { return [] }
            let fields = report[place.upperBound...].split(separator: UInt8(ascii: ","), maxSplits: 2)
            return fields.prefix(2).flatMap(\.self)
        }
    }

    /// Returns whether a line answers a command, or is about the device as such, also if it is one of the log.
    private mutating func isAnswer(_ line: UnsafeRawBufferPointer) -> Bool {
        func isOf(_ name: StaticString) -> Bool {
            UnsafeRawBufferPointer(rebasing: line.prefix(name.utf8CodeUnitCount)).range(of: name) != nil
        }
        if isOf(#"{"class":"WATCH""#) {
            isWatching = true
        } else if isOf(#"{"class":"ERROR""#) {
            if !isAnswered { isAnswered = String(decoding: line, as: UTF8.self).containsBytes(of: name) }
        } else {
            return isOf(#"{"class":"POLL""#) || isOf(#"{"class":"VERSION""#)
                || isOf(#"{"class":"DEVICE","path":"/dev/stdin""#)
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

package import LocationCore

/// The time stamp that `gpspipe` writes before a line, in each of its styles: `-t`, `-u`, `-uu`, `-Z` and combinations.
///
/// A custom style (`-T`) that gives no moment is ignored, and the line is read without it.
package enum ArrivalStamp {
    /// Splits a recorded line into its stamp, if any, and gpsd's own object.
    package static func part(_ line: UnsafeRawBufferPointer) -> (stamp: Timestamp?, json: UnsafeRawBufferPointer) {
        if line.first == UInt8(ascii: "{") { return (nil, line) }
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return (nil, line) }
        let prefix = line[..<brace]
        return (stamp(in: prefix), UnsafeRawBufferPointer(rebasing: line[brace...]))
    }

    /// Returns a line without its stamp, if an object or a sentence follows that.
    static func withoutStamp<Line: RandomAccessCollection<UInt8>>(_ line: Line) -> Line.SubSequence
    where Line.Index == Int {
        func isStart(_ index: Int) -> Bool { line[index] == UInt8(ascii: "{") || isSentence(line[index]) }
        // The longest stamp that gpspipe writes has 24 characters and the microseconds.
        let places = line.prefix(64).indices
        guard let first = places.first, !isStart(first) else { return line[...] }
        let start = places.dropFirst(2).first { index in
            isStart(index) && line[index - 2] == UInt8(ascii: ":") && line[index - 1] == UInt8(ascii: " ")
        }
        return line[(start ?? first)...]
    }

    /// Returns whether a line is one of the receiver's own NMEA or AIS sentences, with or without a stamp.
    static func hasSentence(_ line: UnsafeRawBufferPointer) -> Bool {
        withoutStamp(line).first.map(isSentence) ?? false
    }

    private static func isSentence(_ first: UInt8) -> Bool { first == UInt8(ascii: "$") || first == UInt8(ascii: "!") }

    private static func stamp(in prefix: Slice<UnsafeRawBufferPointer>) -> Timestamp? {
        let text = String(decoding: prefix, as: UTF8.self)
        let words = text.split { $0 == " " || $0 == "\t" }.map { $0.hasSuffix(":") ? $0.dropLast() : $0 }
        // If there are several, the last one (`sec.usec` of -uu) is the most precise.
        if let last = words.last, let seconds = epoch(last) { return seconds }
        switch words.count {
        case 1: return civil(String(words[0]))
        case 2: return civil("\(words[0])T\(words[1])")
        default: return nil
        }
    }

    private static func civil(_ text: String) -> Timestamp? {
        Timestamp(text) ?? Timestamp(text + "Z")
    }

    /// Parses seconds since 1970, with or without decimals; a short number cannot be the time of a session.
    private static func epoch(_ text: Substring) -> Timestamp? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0].count >= 9, let seconds = Int64(parts[0]) else { return nil }
        var fraction = parts.count == 2 ? parts[1].prefix(9) : ""
        guard fraction.allSatisfy(\.isASCIIDigit) else { return nil }
        while fraction.count < 9 { fraction += "0" }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, let rest = Int64(fraction) else { return nil }
        return Timestamp(nanosecondsSince1970: nanoseconds).advanced(by: .nanoseconds(rest))
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

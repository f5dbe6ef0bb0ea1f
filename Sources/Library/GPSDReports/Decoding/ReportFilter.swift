/// A filter that removes gpsd's reports from the log of a receiver.
///
/// `gpspipe -r` and `-R` write gpsd's greeting before what the receiver sends, and `gpspipe -r -w` its reports in between.
/// gpsdecode would repeat them beside its own, as those of a second receiver.
struct ReportFilter {
    private static let beginning = Array(#"{"class":""#.utf8)

    /// The number of bytes of `beginning` at the end of the last piece, which are held back.
    private var matched = 0
    private var isInReport = false

    /// Returns the next bytes without the reports; the ends of their lines remain.
    mutating func filter(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(piece.count + matched)
        for byte in piece {
            if isInReport {
                guard byte == UInt8(ascii: "\n") else { continue }
                isInReport = false
            }
            if byte == Self.beginning[matched] {
                matched += 1
                guard matched == Self.beginning.count else { continue }
                matched = 0
                isInReport = true
                continue
            }
            if matched > 0 { result += finish() }
            if byte == Self.beginning[0] { matched = 1 } else { result.append(byte) }
        }
        return result
    }

    /// Returns the bytes that were held back, at the end of the input.
    mutating func finish() -> ArraySlice<UInt8> {
        defer { matched = 0 }
        return Self.beginning[..<matched]
    }
}

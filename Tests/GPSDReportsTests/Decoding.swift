import GPSDReports
import Testing

/// Decodes a line with a decoder of its own.
func decode(_ line: String) throws(ReportError) -> GPSDReport {
    var decoder = ReportDecoder()
    return try decoder.decode(line)
}

func tpv(_ line: String, _ location: SourceLocation = #_sourceLocation) throws -> TPVReport {
    guard case .tpv(let report) = try decode(line) else {
        throw UnexpectedClass(line: line)
    }
    return report
}

func sky(_ line: String) throws -> SKYReport {
    guard case .sky(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
    return report
}

struct UnexpectedClass: Error { let line: String }

/// Numbers that are the same on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

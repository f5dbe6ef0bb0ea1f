import GPSDProtocol

/// Decodes a line with a new decoder.
func decode(_ line: String) throws(ReportError) -> GPSDReport {
    var decoder = ReportDecoder()
    return try decoder.decode(line)
}

func tpv(_ line: String) throws -> TPVReport {
    guard case .tpv(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
    return report
}

func sky(_ line: String) throws -> SKYReport {
    guard case .sky(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
    return report
}

struct UnexpectedClass: Error { let line: String }

@testable import LocationCore
@testable import GPSDProtocol

/// Fuzzes the decoder: decodes each line of the input, and splits the input at every byte.
func fuzzDecoder(_ bytes: UnsafeBufferPointer<UInt8>) {
    checkLines(bytes)
    checkReport(bytes)
}

// libFuzzer calls the function from one thread only.
nonisolated(unsafe) private var usedDecoder = ReportDecoder()

/// Checks that the result does not depend on earlier lines, white space, the position of the class, or a second key.
private func checkReport(_ bytes: UnsafeBufferPointer<UInt8>) {
    var fresh = ReportDecoder()
    let line = UnsafeRawBufferPointer(bytes)
    let report = outcome { () throws(ReportError) in try fresh.decode(line) }
    check(outcome { () throws(ReportError) in try usedDecoder.decode(line) } == report, "depends on earlier lines")
    switch report {
    case .failure(let error): check(0...bytes.count ~= error.offset, "the offset is outside the line")
    case .success(let report):
        check(report == report, "the report is unequal to itself")
        let padded = Array(" \t\r\n".utf8) + bytes + Array(" \r\n".utf8)
        check(outcome { () throws(ReportError) in try fresh.decode(padded) } == .success(report), "white space matters")
        // A key before the class makes the decoder take its general path.
        if let brace = bytes.firstIndex(of: UInt8(ascii: "{")), !bytes.elementsEqual("{}".utf8) {
            let shifted =
                Array(bytes[...brace]) + Array(#""zzz":null,"#.utf8) + Array(bytes[(brace + 1)...])
            check(outcome { () throws(ReportError) in try fresh.decode(shifted) } == .success(report), "order matters")
        }
        check(
            outcome { () throws(ReportError) in try fresh.decode(Array(bytes) + [UInt8(ascii: "}")]) }
                != .success(report),
            "bytes after the report are ignored")
        if case .tpv(let tpv) = report { checkAgain(tpv, &fresh) }
    }
}

/// Checks that the text of a report decodes to an equal report.
private func checkAgain(_ tpv: TPVReport, _ decoder: inout ReportDecoder) {
    var line = #"{"class":"TPV","mode":\#(tpv.mode)"#
    if let latitude = tpv.lat { line += #","lat":\#(latitude)"# }
    if let depth = tpv[.depth] { line += #","depth":\#(depth)"# }
    if let time = tpv.time { line += #","time":"\#(time)""# }
    guard case .success(.tpv(let again)) = outcome({ () throws(ReportError) in try decoder.decode(line + "}") }) else {
        return check(false, "the text cannot be decoded")
    }
    check(again.lat?.bitPattern == tpv.lat?.bitPattern, "the latitude differs")
    check(again[.depth]?.bitPattern == tpv[.depth]?.bitPattern, "the depth differs")
    check(again.time == tpv.time, "the time differs")
    check(again.mode == tpv.mode, "the mode differs")
}

/// Checks that the lines are the same wherever the stream is split.
private func checkLines(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= 512 else { return }
    let whole = lines(bytes, cutAt: 0)
    for index in 0...bytes.count { check(lines(bytes, cutAt: index) == whole, "a cut matters") }
    var decoder = ReportDecoder()
    for line in whole { _ = outcome { () throws(ReportError) in try decoder.decode(line) } }
}

private func lines(_ bytes: UnsafeBufferPointer<UInt8>, cutAt index: Int) -> [[UInt8]] {
    var reader = LineReader(limit: 40)
    var lines: [[UInt8]] = []
    func process(_ line: LineReader.Line) {
        switch line {
        case .line(let bytes): lines.append(Array(bytes))
        case .tooLong(let bytes): lines.append(Array("\n\(bytes)".utf8))
        }
    }
    let bytes = UnsafeRawBufferPointer(bytes)
    for part in [bytes[..<index], bytes[index...]] {
        var place = 0
        while let line = reader.next(in: UnsafeRawBufferPointer(rebasing: part), from: &place) { process(line) }
    }
    if let line = reader.last() { process(line) }
    return lines
}

private func outcome(_ body: () throws(ReportError) -> GPSDReport) -> Result<GPSDReport, ReportError> {
    do throws(ReportError) { return .success(try body()) } catch { return .failure(error) }
}

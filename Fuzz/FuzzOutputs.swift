import Glibc
@testable import LocationCore
@testable import GPSDProtocol
@testable import LocationTracks
@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Fuzzes all output formats with a session of arbitrary numbers and texts.
func fuzzOutputs(_ input: UnsafeBufferPointer<UInt8>) {
    // A longer session is slow, and contains nothing that this one does not.
    let session = HostileSession(UnsafeBufferPointer(rebasing: input.prefix(2048)))
    checkPrinters(session.updates)
    checkStatistics(session.updates)
    checkTracks(session.updates, input)
}

private let style = TextStyle()

private func checkPrinters(_ updates: [TrackedUpdate]) {
    guard let template = try? Template.read("%{device} %{datum} %{alt} %{compass} %{eph}") else {
        return check(false, "no template")
    }
    var printers: [any EventPrinter] = [
        TextPrinter(style: style, selection: EventSelection(sky: true), localTime: .utc),
        TextPrinter(
            style: TextStyle(degrees: .seconds, units: .imperial, precision: .full, glyphs: .ascii),
            localTime: .utc),
        JSONPrinter(selection: EventSelection(sky: true)), CSVPrinter(),
        CSVPrinter(columns: .all), StateCSVPrinter(), SatelliteCSVPrinter(),
        TemplatePrinter(template: template, style: style, selection: EventSelection(), localTime: .utc),
    ]
    var decoder = ReportDecoder()
    var diary = VerboseLog(style: style)
    var view = SessionView()
    for update in updates {
        if case .update(let source, _) = update { view.process(source) }
        check(!hides((diary.words(for: update) ?? "").utf8), "the diary shows a hidden character")
        for index in printers.indices {
            var out = TextBuffer()
            printers[index].print(update, view, into: &out)
            check(!hides(out.written), "a hidden character is printed")
            guard printers[index] is JSONPrinter else { continue }
            for line in out.written.split(separator: UInt8(ascii: "\n")) { check(isJSON(line, &decoder), "not JSON") }
        }
        if case .update(let told, _) = update, case .failure(let error, _) = told.event {
            check(!hides(ErrorText(error).lines.utf8), "a hidden character in an error")
        }
    }
}

private func checkStatistics(_ updates: [TrackedUpdate]) {
    var statistics = TrackStatistics()
    for update in updates { statistics.process(update) }
    var (out, decoder) = (TextBuffer(), ReportDecoder())
    JSONPrinter().print(statistics, into: &out)
    check(isJSON(out.written.dropLast(), &decoder), "the statistics are not JSON")
    let text = StatisticsText(statistics: statistics, source: .recording(path: "x"), localTime: .utc).text(in: style)
    check(!hides(text.utf8), "the statistics show a hidden character")
    let plot = TrackPlot(statistics, title: "x")
    check(plot.svg().count < 1_000_000, "the SVG plot is too long")
    check(plot.terminal(columns: 80, colour: false).utf8.count < 100_000, "the terminal plot is too long")
}

private func checkTracks(_ updates: [TrackedUpdate], _ input: UnsafeBufferPointer<UInt8>) {
    for format in TrackFormat.allCases {
        var (stream, assembler, bytes) = (TrackStream(format), TrackAssembler(), [UInt8]())
        for update in updates { assembler.process(update) { stream.process($0, to: &bytes) } }
        stream.finish(to: &bytes)
        check(!hides(bytes), "a track shows a hidden character")
        if format == .csv {
            let lines = bytes.count { $0 == UInt8(ascii: "\n") }
            check(lines == stream.points + 1, "a record is not one line")
        }
        checkContinuation(of: bytes, format, input)
    }
}

/// Continues a file of which the input has overwritten some bytes.
private func checkContinuation(of track: [UInt8], _ format: TrackFormat, _ input: UnsafeBufferPointer<UInt8>) {
    var bytes = track
    for pair in zip(input, input.dropFirst().dropFirst()).prefix(8) where !bytes.isEmpty {
        bytes[(Int(pair.0) * 257 + Int(pair.1)) % bytes.count] = pair.1
    }
    for ending in [bytes, Array(input)] {
        var (csv, geojson) = (CSVWriter(.standard), GeoJSONWriter(pointFeatures: true))
        csv.resume(after: ending[...])
        geojson.resume(after: ending[...])
    }
    // Files are slow, so only some inputs use them.
    guard input.count % 16 == format.hashIndex else { return }
    let path = "/tmp/locwatch-fuzz-\(getpid()).\(format.name)"
    defer { unlink(path) }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { return }
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    // A file of another origin must only be refused.
    guard let log = try? TrackFile(path, format, durability: .kill) else { return }
    let place = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
    try? log.process(.point(TrackPoint(place)))
    try? log.finish()
}

extension TrackFormat {
    fileprivate var hashIndex: Int { TrackFormat.allCases.firstIndex(of: self) ?? 0 }
}

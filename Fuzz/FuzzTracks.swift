@testable import LocationCore
@testable import GPSDProtocol
@testable import LocationTracks
@testable import LocwatchArguments
@testable import LocwatchPrinting

/// Fuzzes the readers of GPX, KML and GeoJSON; the first byte chooses the size of the pieces, and whether points without a
/// time get one.
func fuzzTracks(_ input: UnsafeBufferPointer<UInt8>) {
    guard let options = input.first else { return }
    let bytes = Array(input.dropFirst())
    let isJSON = TrackKind.recognize(beginning: bytes, name: "track") != .track(.xml)
    let track = FoundTrack(bytes, isJSON ? .geojson : .xml, options, pieces: bytes.count)
    let inPieces = FoundTrack(bytes, isJSON ? .geojson : .xml, options, pieces: 1 + Int(options >> 1))
    check(track.elements == inPieces.elements, "the size of the pieces matters")
    check((track.fault == nil) == (inPieces.fault == nil), "the size of the pieces decides about a fault")
    if let fault = track.fault {
        check(!hides(ErrorText(fault).lines.utf8), "a fault shows a hidden character")
    }
    // The shortest position of a line in KML is "1,1 ", and each can begin a segment.
    check(track.elements.count <= bytes.count + 3, "there are more elements than bytes")
    var (lines, decoder) = (TrackLines(), ReportDecoder())
    for element in track.elements { checkLines(of: element, &lines, &decoder) }
}

extension TrackKind {
    fileprivate static func recognize(beginning bytes: [UInt8], name: String) -> Recognition {
        bytes.withUnsafeBytes { recognize($0, name: name) }
    }
}

/// Checks that the lines of an element are gpsd's JSON, and say what the element says.
private func checkLines(of element: ReadElement, _ lines: inout TrackLines, _ decoder: inout ReportDecoder) {
    var reports: [GPSDReport] = []
    for line in lines.lines(of: element) {
        check(!hides(line), "a line shows a hidden character")
        guard let report = try? decoder.decode(line) else { return check(false, "a line cannot be decoded") }
        reports.append(report)
    }
    guard case .point(let point) = element else { return }
    checkNumbers(point.location)
    guard let time = point.location.timestamp else { return check(false, "a point has no time") }
    guard case .tpv(let tpv)? = reports.last else { return check(false, "a point has no position") }
    check(tpv.time == time, "the time differs")
    guard point.location.fix != .none else { return }
    check(tpv.lat == point.location.coordinate.latitude, "the latitude differs")
    check(tpv.lon == point.location.coordinate.longitude, "the longitude differs")
}

/// The elements of a file that is read in pieces.
private struct FoundTrack {
    private final class Found { var elements: [ReadElement] = [] }

    private let found = Found()
    private(set) var fault: LocationError?

    var elements: [ReadElement] { found.elements }

    init(_ bytes: [UInt8], _ kind: TrackKind, _ options: UInt8, pieces size: Int) {
        let times = TimelessPoints(speed: options & 1 == 0 ? nil : 10, start: Timestamp(secondsSince1970: 1.8e9))
        do throws(LocationError) {
            let reader = try TrackReader(kind, of: "x", times: times, memory: 1 << 20) { [found] in
                found.elements.append($0)
            }
            for piece in pieces(bytes, size) {
                let result = Array(piece).withUnsafeBytes { piece in
                    Result { () throws(LocationError) in try reader.read(piece) }
                }
                try result.get()
            }
            try reader.read(UnsafeRawBufferPointer(start: nil, count: 0))
        } catch {
            fault = error
        }
    }
}

import Foundation
import LocationRecordings
import LocationCore
import Testing

/// The decoder over whole recordings, compared with an independent reading of their lines.
@Suite struct RecordedSessionTests {
    /// The number of lines by what they contain.
    private struct Counts: Equatable {
        var lines = 0
        var bad = 0
        var tpv = 0
        var modes = [0, 0, 0, 0]
        var positions = 0
        var sky = 0
    }

    @Test(arguments: RecordedSession.all)
    func `the reports of a recording are counted as an independent reader counts them`(session: RecordedSession) throws
    {
        var expected = Counts()
        for report in try session.reports() {
            expected.lines += 1
            guard let report else {
                expected.bad += 1
                continue
            }
            switch report["class"] as? String {
            case "TPV":
                expected.tpv += 1
                expected.modes[report["mode"] as? Int ?? 0] += 1
                if RecordedSession.position(report) != nil { expected.positions += 1 }
            case "SKY": expected.sky += 1
            default: break
            }
        }
        #expect(counts(try Data(contentsOf: session.file)) == expected)
    }

    private func counts(_ data: Data) -> Counts {
        var counts = Counts()
        var reader = LineReader()
        var decoder = ReportDecoder()
        func process(_ line: LineReader.Line) {
            counts.lines += 1
            guard case .line(let bytes) = line, let report = try? decoder.decode(bytes) else {
                counts.bad += 1
                return
            }
            switch report {
            case .tpv(let tpv):
                counts.tpv += 1
                if counts.modes.indices ~= tpv.mode { counts.modes[tpv.mode] += 1 }
                if tpv.mode >= 2, let latitude = tpv.lat, let longitude = tpv.lon,
                    Coordinate(checking: latitude, longitude) != nil
                {
                    counts.positions += 1
                }
            case .sky: counts.sky += 1
            default: break
            }
        }
        data.withUnsafeBytes { bytes in
            reader.feed(bytes, process)
            reader.finish(process)
        }
        return counts
    }
}

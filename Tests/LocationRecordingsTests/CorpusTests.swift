import Foundation
import LocationCore
import LocationRecordings
import Testing

/// Sessions of real receivers, if `LOCWATCH_CORPUS` names a folder of them with its `EXPECTED.tsv`.
@Suite struct CorpusTests {
    static let folder = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"].map { URL(filePath: $0) }

    /// The counts of a session in `EXPECTED.tsv` that a decoder alone can verify.
    struct Counts: Equatable {
        var lines = 0
        var bad = 0
        var tpv = 0
        var modes = [0, 0, 0, 0]
        var positions = 0
        var sky = 0
    }

    static let sessions: [(name: String, expected: Counts)] = {
        guard let folder, let table = try? String(contentsOf: folder.appending(path: "EXPECTED.tsv"), encoding: .utf8)
        else { return [] }
        let rows = table.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard let header = rows.first else { return [] }
        return rows.dropFirst().map { row in
            func count(_ column: String) -> Int { header.firstIndex { $0 == column }.flatMap { Int(row[$0]) } ?? -1 }
            let expected = Counts(
                lines: count("lines"), bad: count("bad"), tpv: count("tpv"), modes: (0...3).map { count("mode\($0)") },
                positions: count("positions"), sky: count("sky"))
            return (String(row[0]), expected)
        }
    }()

    @Test(.enabled(if: folder != nil, "LOCWATCH_CORPUS names no folder of recorded sessions"))
    func `every session of the corpus has the expected counts`() throws {
        let folder = try #require(Self.folder)
        #expect(!Self.sessions.isEmpty)
        for session in Self.sessions {
            let url = folder.appending(path: session.name)
            let file = FileManager.default.fileExists(atPath: url.path) ? url : url.appendingPathExtension("json")
            #expect(counts(try Data(contentsOf: file)) == session.expected, "\(session.name)")
        }
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

import CGPSD
import Foundation
import GPSDProtocol
import TestSupport
import Testing

/// The project's decoder compared with libgps' own, on every line that libgps can read.
@Suite struct OracleTests {
    @Test(arguments: SampleRecording.all)
    func `libgps reads the same values from a recorded session`(session: SampleRecording) throws {
        let oracle = try #require(Oracle())
        var decoder = ReportDecoder()
        var (compared, left) = (0, [HazardousLine]())
        for bytes in try session.lines {
            let line = String(decoding: bytes, as: UTF8.self)
            // A line that is not a report must not reach libgps, which may never return from it.
            guard let report = try? decoder.decode(line) else {
                #expect((try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] == nil, "\(line)")
                continue
            }
            guard Comparison.covers(report) else { continue }
            if let hazard = HazardousLine(line, decodedAs: report) {
                left.append(hazard)
                continue
            }
            #expect(oracle.read(line), "libgps refuses \(line)")
            let unexplained = Comparison(report, oracle).differences.filter { KnownDifference($0, in: report) == nil }
            #expect(unexplained == [], "\(line)")
            compared += 1
        }
        // A real receiver's gpsd opened and closed the device; every other line of the classes that libgps reads is compared.
        let isReal = session.path.contains("/receivers/") || !session.isFixture
        #expect(left == (isReal ? [.deactivated, .deactivated] : []))
        #expect(compared >= 3)
    }

    @Test(arguments: FullReport.all)
    func `libgps reads the same values from reports with every field and with none`(sample: FullReport) throws {
        let oracle = try #require(Oracle())
        var decoder = ReportDecoder()
        let report = try decoder.decode(sample.line)
        #expect(HazardousLine(sample.line, decodedAs: report) == nil)
        #expect(oracle.read(sample.line))
        let comparison = Comparison(report, oracle)
        #expect(comparison.differences.filter { KnownDifference($0, in: report) == nil } == [])
        #expect(comparison.fields == sample.fields)
    }

    /// Whether the libgps is that of Debian 12; other releases may have other faults.
    private static let isDebian12 = Oracle.release == "3.22"

    @Test(
        .enabled(if: isDebian12, "these are the faults of libgps 3.22"),
        arguments: [
            (
                KnownDifference.swappedAccuracies, #"{"class":"TPV","mode":3,"ecefpAcc":2.5,"ecefvAcc":0.5}"#,
                ["ecefpAcc", "ecefvAcc"]
            ),
            (
                .velocityAsRelativePosition, #"{"class":"TPV","mode":3,"velN":1.5,"velE":-2.5,"velD":0.5}"#,
                ["velN", "velE", "velD", "relN", "relE", "relD"]
            ),
            (
                .countedList, #"{"class":"SKY","nSat":12,"uSat":7,"satellites":[{"PRN":3,"used":true}]}"#,
                ["nSat", "uSat"]
            ),
        ] as [(KnownDifference, String, Set<String>)])
    func `a known fault of libgps affects the expected fields`(
        known: KnownDifference, line: String, fields: Set<String>
    ) throws {
        let oracle = try #require(Oracle())
        var decoder = ReportDecoder()
        let report = try decoder.decode(line)
        #expect(oracle.read(line))
        let found = Comparison(report, oracle).differences.filter { KnownDifference($0, in: report) == known }
        #expect(Set(found.map(\.field)) == fields)
    }

    private static let hazards: [(HazardousLine, String)] = [
        (.fiveDevices, #"{"class":"DEVICES","devices":[{},{},{},{},{}]}"#),
        (.unknownKey, #"{"x":[1],"class":"TPV","mode":3}"#),
        (.unknownKey, #"{"class":"TPV","mode":"3"}"#),
        (.spaceBeforeClass, #"{"class": "TPV","mode":3}"#),
        (.longString, #"{"class":"DEVICE","path":"/dev/\#(String(repeating: "x", count: 123))"}"#),
        (.deactivated, #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#),
        (.unreadableTime, #"{"class":"TPV","mode":3,"time":"yesterday"}"#),
    ]

    @Test(arguments: hazards)
    func `a line on which libgps hangs or fails is classified, and decoded here`(
        hazard: HazardousLine, line: String
    ) throws {
        var decoder = ReportDecoder()
        #expect(HazardousLine(line, decodedAs: try decoder.decode(line)) == hazard)
    }

    @Test(
        .enabled(if: isDebian12, "these are the faults of libgps 3.22"),
        // libgps never returns from the first two, so the tests of CGPSD run them in a separate process.
        arguments: hazards.dropFirst(2))
    func `libgps really fails on a line that is kept from it`(hazard: HazardousLine, line: String) throws {
        let oracle = try #require(Oracle())
        var decoder = ReportDecoder()
        let report = try decoder.decode(line)
        let isRefused = !oracle.read(line)
        #expect(isRefused || Comparison(report, oracle).differences != [])
    }
}

import LocationCore
import Testing

@testable import GPSDSimulation

@Suite struct ScenarioCorrectionsTests {
    @Test(
        arguments: [
            (0..<5, nil), (5..<20, .rtkFloat), (20..<50, .rtkFixed), (50..<60, .rtkFloat), (60..<70, nil),
        ] as [(Range<Int>, FixQuality?)])
    func `the fix becomes float, then fixed, and falls back while the corrections age`(
        seconds: Range<Int>, quality: FixQuality?
    ) {
        for second in seconds {
            let fix = ScenarioCorrections().fix(at: .seconds(second))
            #expect(fix?.quality == quality && fix?.age == quality.map { _ in Double(max(1, second - 39)) })
            #expect(ScenarioCorrections().fix(at: .seconds(second + 70)) == fix)
        }
    }

    /// gpsd 3.22 takes `eph` from PSRFEPE, and `epx` and `epy` from GBS only if it is the last sentence of an epoch.
    @Test(arguments: [(0, 0.5..<20), (10, 0.1..<0.9), (30, 0.01..<0.09), (55, 0.1..<0.9), (65, 0.5..<20)])
    func `the receiver states its accuracy, which is centimetres if fixed and decimetres if float`(
        second: Int, range: Range<Double>
    ) throws {
        let encoder = ScenarioEncoder(.rtk, start: Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000))
        let lines = String(decoding: encoder.transmission(second).bytes, as: UTF8.self).split(separator: "\r\n")
        func fields(_ type: String) throws -> [Double?] {
            try #require(lines.first { $0.hasPrefix("$\(type)") }).split(
                separator: ",", omittingEmptySubsequences: false
            ).map { Double($0) }
        }
        let (garmin, sirf, gbs) = (try fields("PGRME"), try fields("PSRFEPE"), try fields("GNGBS"))
        let accuracies = [garmin[1], sirf[4], sirf[5], gbs[2], gbs[3], gbs[4]]
        #expect(accuracies.allSatisfy { $0.map(range.contains) == true }, "\(accuracies)")
        #expect(lines.last?.hasPrefix("$GNGBS") == true)
    }

    @Test func `a receiver without corrections leaves its accuracy to gpsd`() {
        let encoder = ScenarioEncoder(.walk, start: Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000))
        let text = String(decoding: encoder.transmission(5).bytes, as: UTF8.self)
        #expect(!text.contains("PSRFEPE") && !text.contains("GBS"))
    }

    @Test func `each sentence of a corrected position has the age and the station, and is not too long`() throws {
        let encoder = ScenarioEncoder(.rtk, start: Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000))
        for second in 5..<60 {
            let lines = String(decoding: encoder.transmission(second).bytes, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.allSatisfy { $0.utf8.count <= 80 })
            let fields = try #require(lines.first { $0.hasPrefix("$GNGGA") }).split(
                separator: ",", omittingEmptySubsequences: false)
            #expect(["4", "5"].contains(fields[6]))
            #expect(Double(fields[13]) ?? 0 >= 1 && fields[14].hasPrefix("0077*"), "\(fields)")
        }
    }
}

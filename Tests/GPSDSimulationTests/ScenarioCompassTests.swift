import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import GPSDSimulation

/// Tests of the simulated boat with a compass.
struct ScenarioCompassTests {
    private let start = Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000)

    private func lines(_ scenario: ReceiverScenario, _ second: Int) -> [String] {
        let encoder = ScenarioEncoder(scenario, start: start)
        return String(decoding: encoder.transmission(second).bytes, as: UTF8.self).split(separator: "\r\n").map {
            String($0)
        }
    }

    @Test func `the compass sends the headings from both norths and the rate of turn after each epoch`() throws {
        let reported = ScenarioEncoder(.compass, start: start).epoch(5).reported
        let (heading, course) = (try #require(reported.heading), try #require(reported.course))
        #expect(abs(Location.turned(heading, by: -course) - 18) < 0.001, "the swing of 6 degrees is at its end")
        let sentences = lines(.compass, 5).suffix(4).map { String($0.prefix { $0 != "*" }) }
        func fixed(_ degrees: Double) -> String { TextBuffer.text { $0.put(fixed: degrees, decimals: 2) } }
        #expect(
            sentences == [
                "$HEHDT,\(fixed(heading)),T", "$HCHDT,\(fixed(heading)),T",
                "$HCHDG,\(fixed(Location.turned(heading, by: -3.4))),,,3.4,E",
                "$TIROT,0.0,A",
            ])
        #expect(!lines(.walk, 5).contains { $0.contains("HDT") || $0.contains("HDG") || $0.contains("ROT") })
    }

    /// gpsd 3.22 keeps the attitude in the memory of a GST, whose time makes its ATT unreadable.
    @Test func `a receiver with a compass sends no errors of its own`() {
        #expect(!lines(.compass, 5).contains { $0.hasPrefix("$GNGST") })
        #expect(lines(.walk, 5).contains { $0.hasPrefix("$GNGST") })
    }

    @Test func `the rate of turn is the change of the heading in a minute`() throws {
        let compass = ScenarioCompass()
        for tenth in 0..<200 {
            let moment = { (offset: Int) in compass.attitude(on: 355, at: .milliseconds(100 * tenth + offset)) }
            let (before, after) = (try #require(moment(-50).heading), try #require(moment(50).heading))
            let turn = (after - before + 540).truncatingRemainder(dividingBy: 360) - 180
            let rate = try #require(moment(0).rateOfTurn)
            #expect(abs(turn * 600 - rate) < 1.5)
        }
    }

    @Test func `the compass goes on without a position`() {
        var scenario = ReceiverScenario.compass
        scenario.stages = [ReceiverScenario.Stage(.dark)]
        #expect(lines(scenario, 3).contains { $0.hasPrefix("$HEHDT,") })
        #expect(lines(scenario, 3).contains { $0.hasPrefix("$GNGGA,") && $0.contains(",,,,,0,") })
    }

    @Test func `the reports that need no gpsd have the same attitude`() throws {
        var reports = SimulatedReports(.compass, seed: 1)
        reports.start(at: start)
        let texts = (0..<8).map { _ in String(decoding: reports.next().bytes, as: UTF8.self) }
        var decoder = ReportDecoder()
        let attitudes = try texts.compactMap { text -> ATTReport? in
            if case .att(let report) = try decoder.decode(text) { report } else { nil }
        }
        let expected = (0..<attitudes.count).map { ScenarioEncoder(.compass, seed: 1, start: start).epoch($0).reported }
        #expect(attitudes.count > 1)
        for (attitude, epoch) in zip(attitudes, expected) {
            let heading = try #require(attitude.heading), reported = try #require(epoch.heading)
            #expect(abs(heading - reported) < 0.001)
            #expect(attitude.mheading != nil && attitude.rot != nil && attitude.time == nil)
        }
    }
}

import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchPrinting
@testable import LocwatchSession

/// The direction in which a receiver points, in the outputs of commands.
@Suite(.serialized, .withClocks) struct AttitudeCommandTests {
    private static let compass = Attitude(
        headingMagnetic: 218.634, pitch: 0.135, rateOfTurn: -3, device: "/dev/compass")

    private static var sailing: Location {
        var location = ScriptedSession.gate
        (location.heading, location.headingMagnetic, location.roll) = (102.4, 98.9, -4.5)
        return location
    }

    /// A receiver with two antennas, as gpsd 3.22 reports it: each heading without a time, after the position.
    private static let recording = (0..<4).map { second in
        let position =
            #"{"class":"TPV","device":"/dev/gps","mode":3,"time":"2026-11-20T09:00:0\#(second).000Z","lat":52.5,"lon":13.3,"#
            + #""altMSL":30,"track":90,"speed":2,"magvar":3.5}"#
        return position + "\n" + #"{"class":"ATT","device":"/dev/gps","heading":\#(100 + second).250}"# + "\n"
    }.joined()

    @Test func `JSON has the attitude of a position in it, and one without a position as an event`() async throws {
        let result = try await CommandTrial.run("watch -j x", [.attitude(Self.compass), .location(Self.sailing), .end])
        let attitudes = try result.objects("attitude")
        let event = try #require(attitudes.first)
        #expect(event["headingMagnetic"] as? Double == 218.634 && event["pitch"] as? Double == 0.135)
        #expect(event["rateOfTurn"] as? Double == -3 && event["device"] as? String == "/dev/compass")
        #expect(event["heading"] == nil && event["roll"] == nil && event["time"] == nil && event["received"] != nil)
        let locations = try result.objects("location")
        let location = try #require(locations.first)
        #expect(location["heading"] as? Double == 102.4 && location["headingMagnetic"] as? Double == 98.9)
        #expect(location["roll"] as? Double == -4.5 && location["pitch"] == nil && location["course"] as? Double == 90)
    }

    @Test func `once prints the attitudes before the position in JSON, and no line of them in text`() async throws {
        let script: [ScriptStep] = [.attitude(Self.compass), .location(Self.sailing), .end]
        let events = try await CommandTrial.run("once -j x", script).objects("attitude")
        #expect(events.count == 1)
        let text = try await CommandTrial.run("once x", script)
        #expect(!text.output.contains("attitude") && text.output.contains("hdg 102°"), "\(text.output)")
    }

    @Test func `a compass without a position has a line of text each second, until there is a position`() async throws {
        let reports = (0..<25).flatMap {
            [ScriptStep.attitude(Attitude(heading: Double(100 + $0))), .wait(.milliseconds(100))]
        }
        let result = try await CommandTrial.run(
            "watch x", reports + [.location(Self.sailing), .attitude(Self.compass), .wait(.milliseconds(10)), .end])
        #expect(
            result.lines(with: "attitude").map { String($0.drop { !$0.isLetter }) } == [
                "attitude   heading 100°", "attitude   heading 110°", "attitude   heading 120°",
            ], "\(result.output)")
        #expect(result.lines.last?.contains("  hdg 102°") == true, "\(result.output)")
    }

    @Test func `the interval of --interval is also that of attitudes`() async throws {
        let reports = (0..<45).flatMap {
            [ScriptStep.attitude(Attitude(heading: Double($0))), .wait(.milliseconds(100))]
        }
        let result = try await CommandTrial.run("watch -j -i 2 x", reports + [.end])
        let headings = try result.objects("attitude").compactMap { $0["heading"] as? Double }
        #expect(headings == [0, 20, 40])
    }

    @Test(
        arguments: [
            (nil, 218.6, "hdg 219° magnetic"), (102.4, 98.9, "hdg 102°"), (102.4, nil, "hdg 102°"),
        ] as [(Double?, Double?, String)])
    func `the line of a position ends with the heading, whose north is true unless it is called magnetic`(
        heading: Double?, magnetic: Double?, words: String
    ) async throws {
        var location = Self.sailing
        (location.heading, location.headingMagnetic) = (heading, magnetic)
        let result = try await CommandTrial.run("watch x", [.location(location), .end])
        #expect(result.lines.last?.hasSuffix("  \(words)") == true, "\(result.output)")
    }

    @Test func `CSV and templates have the numbers of the attitude`() async throws {
        let csv = try await CommandTrial.run(
            "watch --csv --columns heading,headingMagnetic,pitch,roll,rateOfTurn x", [.location(Self.sailing), .end])
        #expect(csv.lines == ["heading,headingMagnetic,pitch,roll,rateOfTurn", "102.4,98.9,,-4.5,"])
        let template = try await CommandTrial.run(
            "watch -f %{heading:.1},%{headingMagnetic},%{pitch} x", [.location(Self.sailing), .end])
        #expect(template.lines == ["102.4,98.9,-"], "\(template.output)")
    }

    @Test func `a recording of two antennas becomes sentences with the heading of each epoch`() async throws {
        let result = try await CommandTrial.run(
            "export nmea --sentences HDT,HDM,RMC @", reading: Self.recording, as: "sailing.json")
        let bodies = result.lines.map { String($0.prefix { $0 != "*" }) }.filter { !$0.contains("RMC") }
        let expected = [
            "$GPHDT,100.25,T", "$GPHDM,96.75,M", "$GPHDT,101.25,T", "$GPHDM,97.75,M", "$GPHDT,102.25,T",
            "$GPHDM,98.75,M",
            "$GPHDT,103.25,T", "$GPHDM,99.75,M",
        ]
        #expect(bodies == expected, "\(result.output) \(result.errors)")
        let rows = try await CommandTrial.run(
            "export csv --columns time,course,heading @", reading: Self.recording, as: "sailing.json")
        #expect(rows.lines.count == 5 && rows.lines.last == "2026-11-20T09:00:03.000Z,90,103.25", "\(rows.output)")
    }

    @Test func `the metrics have the heading of a receiver that has one`() {
        var (metrics, tracker) = (SessionMetrics(), Tracker())
        tracker.play([LocationUpdate(.location(Self.sailing), at: 1)]) { metrics.process($0, $1) }
        let text = metrics.text.text
        #expect(text.contains("locwatch_heading_degrees{device=\"/dev/gps0\"} 102.4"), "\(text)")
    }
}

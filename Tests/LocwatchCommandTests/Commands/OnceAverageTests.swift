import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// `once --average`: the mean of a standstill, and what can be done with it.
@Suite(.serialized, .withClocks) struct OnceAverageTests {
    private static let place = Coordinate(latitude: 45.0703, longitude: 7.6869)

    /// Returns a recording of positions every five seconds, whose errors of a metre are alike for 20 s.
    ///
    /// - Parameter stays: The minutes of each stay, which are 500 m apart.
    private static func recording(_ stays: [Int], seed: UInt64 = 5, speed: Double = 0.05) -> String {
        var (random, error, second) = (SplitMix64(seed: seed), (0.0, 0.0, 0.0), 0)
        var lines = [#"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#]
        let start = Timestamp("2026-11-20T09:00:00Z") ?? Timestamp(nanosecondsSince1970: 0)
        for (number, minutes) in stays.enumerated() {
            let here = place.destination(distance: Double(number) * 500, bearing: 90)
            for _ in 0..<(minutes * 12) {
                let (kept, new) = (0.7788, 0.6272)
                error.0 = kept * error.0 + new * random.normal()
                error.1 = kept * error.1 + new * random.normal()
                error.2 = kept * error.2 + new * random.normal()
                let at = here.moved(by: GroundOffset(east: error.0, north: error.1))
                lines.append(
                    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(start.advanced(by: .seconds(second)))","#
                        + #""lat":\#(at.latitude),"lon":\#(at.longitude),"altMSL":\#(240 + error.2),"#
                        + #""eph":4,"epv":7,"speed":\#(speed)}"#)
                second += 5
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func mean(_ line: String, _ text: String) async throws -> [String: Any] {
        let result = try await CommandTrial.run("once -j \(line) @", reading: text)
        #expect(result.status == 0, "\(result.errors)")
        return try #require(try result.objects("location").last)
    }

    @Test func `the mean of a recording is a position with its error, the number of positions and their time`()
        async throws
    {
        let mean = try await mean("--average 40m", Self.recording([40]))
        #expect(mean["count"] as? Int == 480 && mean["seconds"] as? Double == 2400)
        let eph = try #require(mean["eph"] as? Double)
        #expect(eph == 0.3243 && mean["epv"] as? Double == 0.3384)
        #expect(mean["correlation"] as? Double == 18.0064 && mean["tooShort"] == nil)
        let (lat, lon) = (mean["lat"] as? Double ?? 0, mean["lon"] as? Double ?? 0)
        #expect(Coordinate(latitude: lat, longitude: lon).distance(to: Self.place) <= eph)
        #expect(abs((mean["altMSL"] as? Double ?? 0) - 240) < 1 && mean["mode"] as? Int == 3)
        #expect(mean["time"] as? String == "2026-11-20T09:39:55.000Z" && mean["device"] as? String == "/dev/a")
    }

    @Test func `text has the mean, its error, and what is not in it`() async throws {
        let result = try await CommandTrial.run("once --average 40m --utc @", reading: Self.recording([40]))
        #expect(result.status == 0 && result.errors == "")
        try #require(result.lines.count == 3, "\(result.output)")
        #expect(result.lines[0].contains("45.0703") && result.lines[0].contains("±0."))
        #expect(result.lines[1].contains("mean       of 480 positions in 40 min: ±0."))
        #expect(result.lines[1].hasSuffix(" m (95 %)"))
        #expect(result.lines[2].hasSuffix("mean       a constant error of the site is not in it"))
    }

    @Test func `templates and CSV have the number and the time of a mean`() async throws {
        let text = Self.recording([10])
        let template = try await CommandTrial.run(
            "once --average 5m -f %{count}/%{seconds}/%{correlation}/%{tooShort}/%{eph} @", reading: text)
        #expect(template == .init(output: "60/300/-/tooShort/4\n"))
        let csv = try await CommandTrial.run(
            "once --average 5m --csv --columns count,seconds,tooShort,eph @", reading: text)
        #expect(csv.output == "count,seconds,tooShort,eph\r\n60,300,1,4\r\n")
        // No other position has them.
        let usual = try await CommandTrial.run("once -f %{count}/%{tooShort} @", reading: text)
        #expect(usual.output == "-/-\n")
    }

    @Test func `a time that is too short to tell has the accuracy of the receiver, and says so`() async throws {
        let text = Self.recording([10])
        let mean = try await mean("--average 5m", text)
        #expect(mean["tooShort"] as? Bool == true && mean["correlation"] == nil)
        #expect(mean["eph"] as? Double == 4 && mean["epv"] as? Double == 7)
        let lines = try await CommandTrial.run("once --average 5m @", reading: text).lines
        #expect(lines.count == 2)
        #expect(lines.last?.hasSuffix("of 60 positions in 5 min: too short to tell, ±4.0 m by the receiver") == true)
    }

    @Test func `with an accuracy the mean ends as soon as its error is small enough`() async throws {
        let text = Self.recording([60])
        let mean = try await mean("--average 60m -a 0.8", text)
        #expect(mean["eph"] as? Double ?? 9 <= 0.8)
        #expect(mean["seconds"] as? Double == 785)
    }

    @Test func `a mean that is not accurate enough after its time is none`() async throws {
        let text = Self.recording([40])
        let coarse = try await CommandTrial.run("once --average 40m -a 0.01 @", reading: text)
        #expect(coarse.code == .noFix && coarse.output == "")
        #expect(coarse.errors.contains("no position accurate to 0.01 m; the best is accurate to 0."))
        #expect(coarse.errors.contains("take a longer time (--average), or a greater error (-a)"))
        // The receiver claims four metres, which is not the error of the mean.
        let short = try await CommandTrial.run("once --average 5m -a 50 @", reading: text)
        #expect(short.code == .noFix && short.output == "")
        #expect(short.errors.contains("too short to tell"))
    }

    @Test func `a recording is searched for the first standstill that is long enough`() async throws {
        let text = Self.recording([5, 12, 20])
        #expect(try await mean("--average 10m", text)["time"] as? String == "2026-11-20T09:14:55.000Z")
        #expect(try await mean("--average 15m", text)["time"] as? String == "2026-11-20T09:31:55.000Z")
        let none = try await CommandTrial.run("once --average 30m @", reading: text)
        #expect(none.code == .noFix && none.output == "")
        #expect(none.errors.contains("no standstill of 30 min; the longest lasted 20 min"))
        #expect(none.errors.contains("take a shorter time, as in --average 1200s"))
        #expect(try await mean("--average 1200s", text)["count"] as? Int == 240)
    }

    @Test func `a recording that never stands still says so`() async throws {
        let result = try await CommandTrial.run(
            "once --average 5m @", reading: Self.recording([10], speed: 3))
        #expect(result.code == .noFix)
        #expect(result.errors.contains("no standstill of 5 min: the receiver has not stood still for a minute"))
    }

    // MARK: A live receiver

    private static func stand(_ steps: Int, longitude: Double = 13.4) -> [ScriptStep] {
        (0..<steps).flatMap { _ in [.location(52.5, longitude, accuracy: 4), .wait(.seconds(10))] }
    }

    @Test func `a live receiver that stands still has a mean after the time`() async throws {
        let result = try await CommandTrial.run("once --average 5m -f %{count}/%{seconds}/%{eph} x", Self.stand(60))
        #expect(result == .init(output: "30/300/4\n"))
    }

    @Test func `a live receiver that leaves its place ends the mean at once`() async throws {
        let script = Self.stand(20) + [.location(52.5003, 13.4, accuracy: 4), .hang]
        let result = try await CommandTrial.run("once --average 30m x", script)
        #expect(result.code == .noFix && result.output == "")
        #expect(result.errors.contains("the standstill ended: the receiver moved by 33 m after 3 min 20 s"))
        let json = try await CommandTrial.run("once -j --average 30m x", script)
        #expect(json.code == .noFix)
        #expect(try json.words().suffix(2) == ["error noFix", "end failed"])
        #expect(try json.objects("location").isEmpty)
    }

    @Test func `a live receiver that is silent for a minute ends the mean`() async throws {
        let result = try await CommandTrial.run("once --average 30m x", Self.stand(20) + [.hang])
        #expect(result.code == .noFix && result.output == "")
        #expect(
            result.errors.contains("the standstill ended: no position for 1 min after 3 min 20 s"), "\(result.errors)")
    }

    @Test(arguments: [("", 36), ("-t 90s", 18)])
    func `a live receiver that does not stand still in time has no mean`(option: String, count: Int) async throws {
        let moving = (0..<100).flatMap { number in
            [ScriptStep.location(52.5 + Double(number) * 0.001, 13.4, accuracy: 4), .wait(.seconds(5))]
        }
        let result = try await CommandTrial.run("once --average 30m \(option) x", moving + [.hang])
        #expect(result.code == .noFix && result.output == "")
        let json = try await CommandTrial.run("once -j --average 30m \(option) x", moving + [.hang])
        let end = try #require(try json.objects("error").first?["time"] as? String)
        let start = try #require(try json.objects("state").first?["time"] as? String)
        let passed = try #require(Timestamp(end)).since(try #require(Timestamp(start)))
        #expect(passed == .seconds(count * 5))
        #expect(result.errors.contains("has not stood still for a minute"), "\(result.errors)")
    }

    @Test func `without any position a mean fails for the reason of that`() async throws {
        let result = try await CommandTrial.run("once --average 30m x", [.searching(.noDevice), .hang])
        #expect(result.code == .noFix)
        #expect(result.errors.contains("no position within 3 min: gpsd has no receiver"), "\(result.errors)")
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let unreachable = try await CommandTrial.run("once --average 30m x", [.error(refused), .hang])
        #expect(unreachable.code == .unavailable, "\(unreachable.errors)")
    }

    @Test func `the mean of one receiver has none of another's positions`() async throws {
        func fix(_ name: String, _ longitude: Double, _ accuracy: Double) -> ScriptStep {
            .location(
                with(Location(coordinate: Coordinate(latitude: 52.5, longitude: longitude))) {
                    ($0.device, $0.horizontalAccuracy) = (name, accuracy)
                })
        }
        let script = (0..<40).flatMap { _ in
            [fix("/dev/a", 13.4, 3), .wait(.seconds(5)), fix("/dev/b", 13.5, 30), .wait(.seconds(5))]
        }
        let result = try await CommandTrial.run("once --average 5m -f %{lon}/%{device}/%{count} x", script)
        #expect(result == .init(output: "13.4000000//dev/a/30\n"))
    }

    @Test func `a fence is judged by the mean`() async throws {
        let line = "once --average 5m -f %{count} --fence"
        #expect(try await CommandTrial.run("\(line) home=52.5,13.4,50 x", Self.stand(60)).status == 0)
        #expect(try await CommandTrial.run("\(line) home=52.6,13.4,50 x", Self.stand(60)).status == 1)
    }

    @Test(
        arguments: [
            ("--average 59s x", "at least 60s"), ("--average 5m mqtt://broker.example/owntracks/#", "not for a fleet"),
        ])
    func `a mean of less than a minute, or of a fleet, is refused`(line: String, part: String) async throws {
        let result = try await CommandTrial().run("once \(line)")
        #expect(result.code == .usage && result.errors.contains(part), "\(result.errors)")
    }

    // MARK: Its use

    @Test func `the printed mean is a reference point and the place of a fence`() async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(Self.recording([40]), to: "drive.json").path
        let forms = [
            "home.json": ["-j"], "home.txt": ["-f", "%{lat},%{lon},%{altMSL}"], "home.geo": ["-f", "%{geo}"],
        ]
        for (name, form) in forms {
            let mean = try await CommandTrial().run(["once", "--average", "40m"] + form + [drive])
            let file = try scratch.write(mean.output, to: name).path
            let figures = try await CommandTrial().run(["stats", "-j", "--reference", "@\(file)", drive])
            let reference = try #require(try figures.objects("stats").first?["reference"] as? [String: Any])
            let east = try #require(reference["east"] as? Double)
            #expect(abs(east) < 0.01, "\(name)")
            if name != "home.geo" { #expect(abs(try #require(reference["up"] as? Double)) < 0.01, "\(name)") }
            let inside = try await CommandTrial().run(["once", "--fence", "home=@\(file),50", drive])
            #expect(inside.status == 0 && inside.errors == "", "\(name)")
        }
    }

    @Test func `the statistics of a recording have the same error`() async throws {
        let text = Self.recording([40])
        let mean = try await mean("--average 40m", text)
        let figures = try await CommandTrial.run("stats -j @", reading: text)
        let standstill = try #require(try figures.objects("stats").first?["standstill"] as? [String: Any])
        for (name, other) in [("error", "eph"), ("heightError", "epv"), ("correlation", "correlation")] {
            let number = try #require(standstill[name] as? Double)
            #expect(abs(number - (mean[other] as? Double ?? .nan)) < 1e-4, "\(name)")
        }
        #expect(standstill["tooShort"] == nil)
        let words = try await CommandTrial.run("stats @", reading: text).output
        #expect(words.contains("known to ±0.") && words.contains(" m (95 %), but for a constant error"))
        let short = try await CommandTrial.run("stats @", reading: Self.recording([5])).output
        #expect(short.contains("too short to tell how well it is known"))
    }
}

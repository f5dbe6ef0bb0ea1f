import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The distance of a session in each output, and the odometer that keeps it.
@Suite(.serialized, .withFew) struct DistanceCommandTests {
    /// A drive of 600 m, a stop, and another one of 300 m.
    private static let drive = RecordedDrive.text([(60, 10), (120, 0), (30, 10)])

    private func run(_ line: String, _ text: String = drive) async throws -> CommandTrial.Result {
        try await CommandTrial.run("\(line) --pace max @", reading: text)
    }

    /// Returns the distances in the lines of JSON.
    private func distances(_ result: CommandTrial.Result) throws -> [Double] {
        try result.objects("location").map { try #require($0["distance"] as? Double) }
    }

    @Test func `JSON has the distance of each position, which a stop does not change`() async throws {
        let found = try distances(try await run("watch -j"))
        #expect(found.count == 210 && found.first == 0)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(Set(found[70..<180]).count == 1)
        #expect(abs(found[100] - 590) < 5 && abs((found.last ?? 0) - 890) < 12, "\(found[100]), \(found.last ?? 0)")
    }

    @Test(arguments: ["-i 30s", "-d 100", "-a 5", "-n 180"])
    func `positions that are not shown belong to the way too`(filter: String) async throws {
        let all = try distances(try await run("watch -j"))
        let scratch = try Scratch()
        let line = "watch -j \(filter) --state \(scratch.path("o"))"
        let shown = try distances(try await run(line))
        #expect(shown.count < all.count && Set(shown).isSubset(of: all))
        let sum = try #require(try OdometerText(scratch.text("o"))?.metres)
        let last = filter == "-n 180" ? all[179] : all[209]
        #expect(abs(sum - last) <= 0.051, "\(filter): \(sum)")
    }

    @Test func `CSV has it as a column, templates in the units of the output, and what does not show it is as before`()
        async throws
    {
        let rows = try await run("watch --csv --columns distance").lines
        let whole = try #require(Double(rows.last ?? ""))
        #expect(rows.first == "distance" && abs(whole - 890) < 12)
        let exported = try await CommandTrial.run("export csv --columns time,distance @", reading: Self.drive)
        #expect(exported.lines.last?.hasSuffix(",\(rows.last ?? "")") == true)
        let metres = try await run("watch -f %{distance:.0}").lines.compactMap(Double.init)
        let feet = try await run("watch -f %{distance:.0} --units imperial").lines.compactMap(Double.init)
        #expect(metres.count == 210 && abs((feet.last ?? 0) / (metres.last ?? 0) - 3.2808) < 0.01)
        #expect(try await run("watch --csv").lines.first?.contains("distance") == false)
    }

    @Test func `the metrics have it as a counter without a device`() async throws {
        let scratch = try Scratch()
        let result = try await run("watch -q --metrics-file \(scratch.path("m"))")
        #expect(result.code == .done)
        let text = try scratch.text("m")
        #expect(text.contains("# TYPE locwatch_distance_meters_total counter\n"))
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("locwatch_distance_meters_total ") })
        let metres = try #require(Double(line.split(separator: " ")[1]))
        #expect(abs(metres - 890) < 12, "\(line)")
    }

    @Test func `late positions and positions of other receivers have none`() async throws {
        let place = #""lat":45,"lon":7.5,"eph":90}"# + "\n"
        let late = #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-09T12:00:01Z",\#(place)"#
        let other = #"{"class":"TPV","device":"/dev/b","mode":2,\#(place)"#
        let objects = try await run("watch -j --all-devices", Self.drive + late + other).objects("location")
        #expect(objects.contains { $0["late"] != nil } && objects.contains { $0["device"] as? String == "/dev/b" })
        for object in objects {
            let isOfWay = object["late"] == nil && object["device"] as? String == "/dev/ttyACM0"
            #expect((object["distance"] != nil) == isOfWay, "\(object)")
        }
    }

    @Test func `an odometer keeps the sum over restarts, and the file has what JSON said last`() async throws {
        let scratch = try Scratch()
        let path = scratch.path("o")
        var sum = 0.0
        for _ in 1...3 {
            let result = try await run("watch -j --state \(path)")
            #expect(result.code == .done && result.errors == "")
            let found = try distances(result)
            #expect(abs((found.first ?? -1) - sum) <= 0.051)
            sum = try #require(try OdometerText(scratch.text("o"))?.metres)
            #expect(abs((found.last ?? -1) - sum) <= 0.051)
        }
        #expect(abs(sum - 3 * 890) < 36)
        #expect(scratch.names == ["o"])
        // Any command that follows a session counts.
        for line in ["export gpx -o \(scratch.path("t.gpx"))", "record \(scratch.path("r.json"))"] {
            let before = sum
            #expect(try await CommandTrial.run("\(line) --state \(path) @", reading: Self.drive).code == .done)
            sum = try #require(try OdometerText(scratch.text("o"))?.metres)
            #expect(abs(sum - before - 890) < 12, "\(line)")
        }
    }

    @Test func `a parked receiver leaves the odometer as it was`() async throws {
        let scratch = try Scratch()
        let text = #"{"schema":"locwatch-state/1","metres":123456.75,"time":"2026-01-01T00:00:00.000Z"}"# + "\n"
        let path = try scratch.write(text, to: "o").path
        let result = try await run("watch -f %{distance} --state \(path)", RecordedDrive.text([(600, 0)]))
        #expect(Set(result.lines) == ["123456.8"])
        #expect(try scratch.text("o") == text)
    }

    @Test func `the metrics of a session with an odometer are those of the odometer`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(#"{"schema":"locwatch-state/1","metres":1000000}"#, to: "o").path
        let line = "watch -q --state \(path) --metrics-file \(scratch.path("m"))"
        #expect(try await run(line, RecordedDrive.text([(9, 0)])).code == .done)
        let metrics = try scratch.text("m")
        for name in ["meters", "metres"] { #expect(metrics.contains("\nlocwatch_distance_\(name)_total 1000000\n")) }
    }

    @Test func `another file, or one that cannot be made, ends the command before the session`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write("{}", to: "o").path
        let foreign = try await run("watch -j --state \(path)")
        let reason = "locwatch: cannot write to \(path): it has no state that this locwatch can read\n"
        #expect(foreign == .init(code: .cannotCreate, errors: reason))
        let none = try await run("watch -j --state /nonexistent/o")
        #expect(none.code == .cannotCreate && none.errors.hasPrefix("locwatch: cannot create /nonexistent/o: "))
    }

    @Test(arguments: [
        ("watch mqtt://localhost", "--state keeps the fences of a fleet, and there is no --fence; mqtt://localhost"),
        ("monitor drive.json", "monitor takes --state only for a running session"),
        ("stats drive.json", "stats does not take --state; it is an option of watch"),
    ])
    func `a session without a distance and without fences takes no file`(line: String, reason: String) async throws {
        let result = try await CommandTrial().run("\(line) --state o")
        #expect(result.code == .usage && result.errors.hasPrefix("locwatch: \(reason)"), "\(result.errors)")
    }

    // MARK: Trips

    @Test func `an export has a file for each trip, and each position is in one of them`() async throws {
        let scratch = try Scratch()
        let trips: [(Int, Double)] = [(60, 0), (90, 12), (400, 0), (90, 12), (100, 0), (90, 12), (500, 0), (60, 12)]
        let text = RecordedDrive.text(trips)
        for (option, counts) in [("stop", [550, 780, 60]), ("stop=80s", [550, 190, 590, 60]), ("stop=1h", [1390])] {
            let folder = try Scratch()
            let result = try await CommandTrial.run(
                "export csv --rotate \(option) -o \(folder.path("trip-%H%M%S.csv")) @", reading: text)
            #expect(result.code == .done)
            let found = try folder.names.map { try folder.text($0).split(separator: "\r\n").count - 1 }
            #expect(found.count == counts.count && found.reduce(0, +) == 1390, "\(option): \(found)")
            // The departure is in the file of its trip.
            for (found, expected) in zip(found, counts) { #expect(abs(found - expected) <= 6, "\(option): \(found)") }
        }
        // A name without a time gets numbers, and a simplified line ends with its trip.
        let result = try await CommandTrial.run(
            "export gpx --simplify 1 --rotate stop -o \(scratch.path("t.gpx")) @", reading: text)
        #expect(result.code == .done && scratch.names == ["t-2.gpx", "t-3.gpx", "t.gpx"], "\(result.errors)")
        #expect(result.errors.contains("points in 3 files, "))
    }

    @Test(arguments: ["stop=", "stop=x", "stop=0", "stop=-5m", "stop=500ms", "stops"])
    func `a stop without a time that is one is refused`(_ value: String) async throws {
        let result = try await CommandTrial().run("export gpx -o t.gpx --rotate \(value) x.json")
        #expect(result.code == .usage && result.errors.contains("stop, stop=10m, a duration"), "\(result.errors)")
    }
}

/// The line in the file of an odometer.
private struct OdometerText: Decodable {
    var schema: String
    var metres: Double
    var time: String?

    init?(_ text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        guard text.hasSuffix("}\n"), schema == "locwatch-state/1" else { return nil }
    }
}

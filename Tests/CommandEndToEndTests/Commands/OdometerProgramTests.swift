import Foundation
import LocationCore
import TestSupport
import Testing

/// The odometer of programs that end in different ways.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct OdometerProgramTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The sum in metres and the time in the file.
    private struct Reading: Decodable {
        var metres: Double
        var time: String?
    }

    private var reading: Reading? {
        (try? scratch.text("o")).flatMap { try? JSONDecoder().decode(Reading.self, from: Data($0.utf8)) }
    }

    /// Returns the distance of each position in a program's output by its time; the last line may be torn.
    private func distances(_ output: String) -> [(time: String, metres: Double)] {
        output.split(separator: "\n").compactMap { line in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let time = object["time"] as? String, let metres = object["distance"] as? Double
            else { return nil }
            return (time, metres)
        }
    }

    @Test func `after each kill the sum goes on from exactly the epoch that was written last`() async throws {
        let drive = try scratch.write(RecordedDrive.text([(6000, 17.3)]), to: "drive.json").path
        let served = try await ServedSession(drive, pace: "20x")
        var draw = SplitMix64(seed: 5)
        var sum = 0.0
        for trial in 1...12 {
            let program = try Locwatch("exec $LW watch -j --state o \(served.source)", folder: scratch.url)
            // The motion is certain after some positions, and a kill at any time after that can meet the writing of the file.
            try await program.wait { _ in (reading?.metres ?? 0) > sum }
            let count = distances(program.output).count + Int(draw.uniform(0.0...4))
            try await program.wait { distances($0.output).count >= count }
            #expect(try await program.end(by: SIGKILL) == 128 + SIGKILL)
            let found = distances(program.output)
            let known = try #require(reading, "\(trial)")
            #expect(abs((found.first?.metres ?? -1) - sum) <= 0.051, "\(trial)")
            // The line was written before the file.
            let line = try #require(found.first { $0.time == known.time }, "\(trial): \(known)")
            #expect(abs(line.metres - known.metres) <= 0.051, "\(trial): \(line), \(known)")
            #expect(known.metres > sum)
            sum = known.metres
        }
        // A draft can be left, which the next program removes.
        let last = try Locwatch("exec $LW watch -j --state o \(served.source)", folder: scratch.url)
        try await last.wait { _ in (reading?.metres ?? 0) > sum }
        #expect(try await last.end(by: SIGTERM) == 128 + SIGTERM)
        #expect(scratch.names == ["drive.json", "o"])
        // Another way than by SIGKILL loses nothing.
        let end = try #require(distances(last.output).last?.metres)
        #expect(abs(end - (reading?.metres ?? 0)) <= 0.051)
    }

    @Test func `a second program at the same file is refused with 73, and the first one goes on`() async throws {
        let drive = try scratch.write(RecordedDrive.text([(6000, 17.3)]), to: "drive.json").path
        let served = try await ServedSession(drive, pace: "20x")
        let first = try Locwatch("exec $LW watch -j --state o \(served.source)", folder: scratch.url)
        try await first.wait { _ in (reading?.metres ?? 0) > 0 }
        let commands = ["watch -j", "record r.json", "export gpx -o t.gpx", "publish udp://127.0.0.1:9 --queue memory"]
        for command in commands {
            let run = try await Locwatch.run("$LW \(command) --state o \(served.source)", folder: scratch.url)
            #expect(run.code == 73, "\(command)")
            #expect(run.errors == "locwatch: cannot write to o: another program is writing to it\n", "\(command)")
            #expect(run.output == "", "\(command)")
        }
        let sum = reading?.metres ?? 0
        try await first.wait { _ in (reading?.metres ?? 0) > sum }
        #expect(first.errors == "")
        try await first.stop()
    }

    /// Returns the distance of each position in ten minutes of a simulated receiver, which pass as fast as they are read.
    ///
    /// - Parameter count: The number of positions in it.
    private func tenMinutes(of receiver: String, _ count: Int) async throws -> [(time: String, metres: Double)] {
        let port = ReservedPort().number
        let server = try Locwatch(
            "exec $LW serve --port \(port) --pace manual --control c sim:\(receiver)", folder: scratch.url)
        try await server.wait { $0.errors.contains("serving") }
        // A file misses no position, as a slow reader would.
        let program = try Locwatch(
            "exec $LW watch -j --no-reconnect -n \(count) --state o --metrics-file m 127.0.0.1:\(port) >watched",
            folder: scratch.url)
        let steps = try await Locwatch.run(
            """
            $LW control c wait clients 1 &&
                for i in {1..10}; do $LW control c step 1m && $LW control c wait read 60s || exit; done
            """, folder: scratch.url)
        #expect(steps.code == 0, "\(steps.output)\(steps.errors)")
        #expect(try await program.end() == 0, "\(program.errors)")
        try await server.stop()
        return distances(try scratch.text("watched"))
    }

    @Test func `ten minutes of a simulated drive have the same distance in each output`() async throws {
        let found = try await tenMinutes(of: "drive", 3001)
        let last = try #require(found.last).metres
        #expect(found.count == 3001 && zip(found, found.dropFirst()).allSatisfy { $0.metres <= $1.metres })
        // It drives at 9 m/s on average.
        #expect(abs(last - 5400) < 100, "\(last)")
        let sum = try #require(reading).metres
        #expect(abs(last - sum) <= 0.051)
        let metrics = try scratch.text("m")
        let metric = try #require(metrics.firstMatch(of: /\nlocwatch_distance_meters_total ([0-9.]+)\n/)).1
        #expect(Double(metric) == sum)
    }

    @Test func `a simulated receiver that stands for ten minutes drives nowhere`() async throws {
        let found = try await tenMinutes(of: "standstill", 601)
        #expect(found.count == 601 && found.allSatisfy { $0.metres == 0 })
        #expect(reading?.metres == 0)
    }

    @Test func `a file that cannot be written any more is said once, and tried again`() async throws {
        let drive = try scratch.write(RecordedDrive.text([(6000, 17.3)]), to: "drive.json").path
        let served = try await ServedSession(drive, pace: "20x")
        let program = try Locwatch("exec $LW watch -j --state o \(served.source)", folder: scratch.url)
        try await program.wait { _ in (reading?.metres ?? 0) > 0 }
        _ = try scratch.write("mine", to: "other")
        rename(scratch.path("other"), scratch.path("o"))
        let words = "locwatch: cannot write to o: another program has replaced it\n"
        try await program.wait { $0.errors.contains(words) }
        unlink(scratch.path("o"))
        try await program.wait { _ in (reading?.metres ?? 0) > 0 }
        #expect(program.errors == words)
        try await program.stop()
    }
}

import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@Suite(.serialized, .alone) struct KilledWriterTests {
    /// The number of kills for each format; LOCWATCH_KILLS sets a larger one, whose result is printed.
    static let kills = chosenKills ?? 30
    static let chosenKills = ProcessInfo.processInfo.environment["LOCWATCH_KILLS"].flatMap { Int($0) }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `a writer that is killed repeatedly leaves each point once, and at most the last one torn`(
        _ format: TrackFormat
    ) throws {
        let scratch = try Scratch()
        let path = scratch.path("killed.\(format.name)")
        var draw = SplitMix64(seed: 100)
        var (points, total, torn) = (0, 0, 0)
        for round in 0..<Self.kills {
            // Start with a new file at times, so that kills at the start of a file are covered too.
            if round % 25 == 0 {
                for file in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) {
                    try FileManager.default.removeItem(atPath: scratch.path(file))
                }
                points = 0
            }
            // A busy machine needs longer for the first point.
            let patience = total == 0 ? Double(round + 1) : 1
            // Each round has its own times: a KML track that begins with the last point of the track before continues it.
            let said = try Self.runAndKill(
                path, format, after: draw.uniform(0.005...0.04) * patience, start: round * 1_000_000)
            // At most the draft that was being written remains.
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
            #expect(names.count { $0.hasPrefix(".") } <= 1, "round \(round): \(names)")
            guard let left = FileManager.default.contents(atPath: path) else {
                #expect(said == 0)
                continue
            }
            let isTorn = TrackPoints.count([UInt8](left), format) == nil || left.last != UInt8(ascii: "\n")
            if isTorn {
                torn += 1
                try TrackFile(path, format, durability: .kill).finish()
            }
            let whole = try #require(FileManager.default.contents(atPath: path))
            let found = try #require(
                TrackPoints.count([UInt8](whole), format), "round \(round) left a file that is not well-formed")
            // The last point may not have been reported.
            #expect(points + said...points + said + 1 ~= found, "round \(round)")
            points = found
            total += said
            guard isTorn || round % 10 == 9 else { continue }
            for reader in TrackOracle.wholeReadings.filter({ $0.format == format }).map(\.reader) {
                let read = try TrackOracle.read(path, by: reader)
                let places = read.map { [$0.latitude, $0.longitude] }
                let once = places.indices.count { $0 == 0 || places[$0] != places[$0 - 1] }
                #expect(once == points, "round \(round), \(reader)")
            }
        }
        #expect(total > 0)
        if Self.chosenKills != nil { print("\(format): \(Self.kills) kills, \(total) points, \(torn) torn") }
    }

    /// Starts the program, kills it, and returns the number of points that it reported as written.
    private static func runAndKill(
        _ path: String, _ format: TrackFormat, after seconds: Double, start: Int
    ) throws -> Int {
        let process = Process()
        process.executableURL = RunningProgram.development
        process.arguments = ["log", path, format.name, "\(start)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        Thread.sleep(forTimeInterval: seconds)
        kill(process.processIdentifier, SIGKILL)
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        return text.split(separator: "\n").last.flatMap { Int($0) } ?? 0
    }
}

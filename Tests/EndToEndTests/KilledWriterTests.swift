import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@Suite(.serialized) struct KilledWriterTests {
    /// The program that the package builds next to its tests.
    static var logger: URL {
        // On Linux the test bundle and the programs are in one folder.
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "locwatch-dev")
    }

    @Test(arguments: [(TrackFormat.gpx, 100), (.kml, 30), (.geojson, 30), (.csv, 30)])
    func `a writer that is killed repeatedly leaves a well-formed file each time and continues it`(
        _ format: TrackFormat, _ times: Int
    ) throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.logger.path), "\(Self.logger.path) is missing")
        let scratch = try Scratch()
        let path = scratch.path("killed.\(format.name)")
        var draw = SplitMix64(seed: 100)
        var written = 0
        var total = 0
        for round in 0..<times {
            // Start with a new file at times, so that kills at the start of a file are covered too.
            if round % 25 == 0 {
                for file in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) {
                    try FileManager.default.removeItem(atPath: scratch.path(file))
                }
                written = 0
            }
            // A busy machine needs longer for the first point.
            let patience = total == 0 ? Double(round + 1) : 1
            // Each round has its own times: a KML track that begins with the last point of the track before continues it.
            let said = try Self.runAndKill(
                path, format, after: draw.uniform(0.005...0.04) * patience, start: round * 1_000_000)
            guard let bytes = FileManager.default.contents(atPath: path) else {
                #expect(said == 0)
                continue
            }
            let tail = FileManager.default.contents(atPath: path + ".tail").map {
                TrackPoints.count([UInt8]($0), format)
            }
            let points = try #require(
                TrackPoints.count([UInt8](bytes), format), "round \(round) left a file that is not well-formed")
            // At most the draft that was being written remains.
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
            #expect(names.count { $0.hasPrefix(".") } <= 1, "round \(round): \(names)")
            let inTail = try #require(tail ?? 0, "round \(round) left a tail that is not well-formed")
            #expect(points + inTail >= written + said)
            written += said
            total += said
        }
        #expect(total > 0)
    }

    @Test func `a long GeoJSON file has each point once, however often its writer is killed`() throws {
        let scratch = try Scratch()
        let path = scratch.path("killed.geojson")
        var draw = SplitMix64(seed: 5)
        var said = 0
        var size = 0
        var taken = 0
        for round in 0..<25 {
            said += try Self.runAndKill(
                path, .geojson, after: 0, butNotBefore: Int(draw.uniform(1...400)), start: round * 1_000_000)
            guard let file = FileManager.default.contents(atPath: path) else { continue }
            var times = try Self.times(file)
            size = file.count
            if let tail = FileManager.default.contents(atPath: path + ".tail"),
                String(decoding: tail, as: UTF8.self).contains("\"after\":\(size),")
            {
                times += try Self.times(tail)
                taken += 1
            }
            // A feature begins with the last point of the previous feature.
            times = times.enumerated().filter { $0.offset == 0 || $0.element != times[$0.offset - 1] }.map(\.element)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "round \(round)")
            #expect(times.count >= said, "round \(round)")
        }
        #expect(size > 2 * 65_536 && taken > 3)
    }

    /// Returns the times of the points of a GeoJSON file, in order.
    private static func times(_ data: Data) throws -> [String] {
        let whole = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let features = try #require(whole["features"] as? [[String: Any]])
        return try features.flatMap { feature in
            let properties = try #require(feature["properties"] as? [String: Any])
            if let time = properties["time"] as? String { return [time] }
            return try #require(properties["coordTimes"] as? [String])
        }
    }

    /// Starts the program, kills it, and returns the number of points that it reported as written.
    ///
    /// - Parameter points: The number of points that the program must have written before it is killed.
    private static func runAndKill(
        _ path: String, _ format: TrackFormat, after seconds: Double, butNotBefore points: Int = 0, start: Int = 0
    ) throws -> Int {
        let process = Process()
        process.executableURL = logger
        process.arguments = ["log", path, format.name, "\(start)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        Thread.sleep(forTimeInterval: seconds)
        var said = Data()
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < points {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += more
        }
        kill(process.processIdentifier, SIGKILL)
        said += try output.fileHandleForReading.readToEnd() ?? Data()
        let text = String(decoding: said, as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        return text.split(separator: "\n").last.flatMap { Int($0) } ?? 0
    }
}

import Foundation
import LocationCore
import LocationTracks
import Testing

@Suite(.serialized) struct KilledWriterTests {
    /// The program that the package builds beside its tests.
    static var logger: URL {
        // On Linux the test bundle and the programs lie in one folder.
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "locwatch-logger")
    }

    @Test(arguments: [(TrackFormat.gpx, 100), (.kml, 30), (.geojson, 30), (.csv, 30)])
    func `a writer that is killed again and again leaves a whole file each time and goes on with it`(
        _ format: TrackFormat, _ times: Int
    ) throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.logger.path), "\(Self.logger.path) is missing")
        let scratch = try Scratch()
        let path = scratch.file("killed.\(format.rawValue)")
        var draw = SplitMix64(seed: 100)
        var written = 0
        for round in 0..<times {
            // A fresh file now and then, so that the beginning is met too.
            if round % 25 == 0 {
                for file in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
                    try FileManager.default.removeItem(atPath: scratch.file(file))
                }
                written = 0
            }
            let said = try Self.runAndKill(path, format, after: draw.uniform(0.005...0.04))
            guard let bytes = FileManager.default.contents(atPath: path) else {
                #expect(said == 0)
                continue
            }
            let tail = FileManager.default.contents(atPath: path + ".tail").map {
                TrackFileTests.points([UInt8]($0), format)
            }
            let points = try #require(
                TrackFileTests.points([UInt8](bytes), format), "round \(round) left a file that is not well-formed")
            let inTail = try #require(tail ?? 0, "round \(round) left a tail that is not well-formed")
            #expect(points + inTail >= written + said)
            written += said
        }
        #expect(written > 0)
    }

    /// How many points the program said that it had written when it was killed.
    private static func runAndKill(_ path: String, _ format: TrackFormat, after seconds: Double) throws -> Int {
        let process = Process()
        process.executableURL = logger
        process.arguments = [path, format.rawValue]
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

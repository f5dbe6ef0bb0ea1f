import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchTerminal

/// Tests of the words that name files, and of files that cannot be followed or written.
@Suite(.serialized, .withClocks) struct FileWordTests {
    @Test(
        arguments: [
            "nosuch.json", "a.gpx", "a.kml", "a.geojson", "a.csv", "a.tcx", "a.igc", "a.nmea", "a.ubx", "a.log",
            "a.SIRF", "a.json.gz", "a.nmea.xz", "a.csv.zst", "some/where", "./pi",
        ], ["watch", "once", "stats", "export gpx", "record -", "time"])
    func `a word that ends like a file or contains a slash is a file`(word: String, command: String) async throws {
        let result = try await CommandTrial().run("\(command) \(word)")
        #expect(result.code == .noInput)
        #expect(result.errors.contains("cannot read \(word): No such file or directory"), "\(result.errors)")
    }

    @Test(arguments: ["pi.local", "drive.json:2947", "gpsd://drive.json", "a.log:2947:/dev/ttyACM0", "json", "a.gz"])
    func `any other word, a port and a scheme name a host`(word: String) throws {
        #expect(try SourceWord(word) { _ in false }.endpoint != nil)
    }

    @Test func `only a file that is not compressed can be followed`() async throws {
        let scratch = try Scratch()
        let other = try scratch.write([0x1F, 0x8B, 8, 0], to: "drive.json")
        for (word, reason) in [(other, "cannot wait for more of a compressed file"), ("sim:walk", "is for a file")] {
            let result = try await CommandTrial().run(["watch", "--follow", word])
            #expect(result.code == .usage)
            #expect(result.errors.contains("--follow \(reason)"), "\(result.errors)")
        }
    }

    @Test(arguments: ["record a.json.gz @", "export gpx -o a.gpx.xz @"])
    func `a compressed file is not written`(line: String) async throws {
        let result = try await CommandTrial.run(line, reading: RecordedDrive.text(points: 3))
        #expect(result.code == .usage)
        #expect(result.errors.contains("locwatch writes no compressed files"), "\(result.errors)")
    }
}

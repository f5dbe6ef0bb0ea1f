import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of every command with a recording that has the greeting of gpsd and nothing else that can be read.
struct UselessRecordingTests {
    private static let text = """
        {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
        {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1"}]}
        {"class":"WATCH","enable":true,"json":false,"nmea":true}
        $GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F
        $GPRMC,120000.00,A,4812.0000,N,01622.2000,E,002.4,084.4,230326,,*3F

        """

    @Test(arguments: [
        ["watch"], ["watch", "-j"], ["watch", "--csv"], ["once"], ["once", "-j"], ["stats"], ["stats", "-j"],
        ["export", "gpx"], ["export", "csv"], ["record", "-"], ["monitor"], ["time"], ["devices"],
        ["publish", "udp://127.0.0.1:9", "--no-queue"],
    ])
    func `a recording without anything of use ends with 65, the count, the first reason and what to try`(
        words: [String]
    ) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array(Self.text.utf8), to: "a log.json")
        let result = try await CommandTrial(terminal: FakeTerminal()).run(words + ["replay:\(path)"])
        #expect(result.code == .notASession)
        let said = result.errors + result.output
        #expect(said.contains("line 4: no JSON object at byte 0, and 2 lines were skipped in all"), "\(said)")
        #expect(said.contains("raw:") && said.contains("a log.json'"), "\(said)")
    }
}

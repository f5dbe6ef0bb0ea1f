import Foundation
import LocationCore
@testable import GPSDProtocol
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// The raw logs of receivers as sessions, compared with what the client of a gpsd gets for the same bytes from a line.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct LiveRawLogTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(arguments: LogKind.all)
    func `a raw log gives the positions that its receiver gives live`(kind: LogKind) async throws {
        let expected = try LiveReceiver.positions(LiveReceiver.lines(kind.bytes))
        let path = try scratch.write(kind.bytes, to: "log.bin")
        var settings = PrivateGPSD.Settings()
        // A system call that the confinement does not mention ends gpsd.
        settings.trapsUnlistedCalls = ConfinementParts.available.contains(.calls)
        let played = await PlayedLog(.path(path), RawLogDecoder(settings: settings))
        #expect(played.failure == nil)
        #expect(expected.count >= 3, "the sample has no positions")
        #expect(try LiveReceiver.positions(played.lines) == expected)
        #expect(played.moments == played.moments.sorted())
    }

    @Test(
        .enabled(if: !SampleRecording.logs.isEmpty, "LOCWATCH_CORPUS has no raw logs"), arguments: SampleRecording.logs)
    func `a raw log of a real receiver gives the positions that the installed gpsd gives live`(log: String) async throws
    {
        let expected = try LiveReceiver.positions(LiveReceiver.lines([UInt8](Data(contentsOf: URL(filePath: log)))))
        let played = await PlayedLog(.path(log))
        #expect(played.failure == nil || expected.isEmpty)
        #expect(try LiveReceiver.positions(played.lines) == expected)
    }

    /// Returns the path of what gpspipe has written.
    private static func capture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Captures/\(name)").path
    }

    @Test(arguments: ["gpspipe-r.log", "gpspipe-r-t.log", "gpspipe-r-w.log", "gpspipe-R.ubx.log"])
    func `what gpspipe -r and -R write is one receiver's log, also packed or from a pipe`(name: String) async throws {
        let path = Self.capture(name)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let expected = try LiveReceiver.positions(LiveReceiver.lines(bytes))
        #expect(expected.count >= 5)
        let packed = scratch.url.appending(path: "packed.gz").path
        _ = try Tool("sh", ["-c", "gzip -c '\(path)' > '\(packed)'"])
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        for source in [.path(path), .path(packed), .descriptor(pipe.fileHandleForReading.fileDescriptor)]
            as [RecordingSource]
        {
            let played = await PlayedLog(source)
            #expect(played.failure == nil)
            #expect(played.positions == expected)
            #expect(played.lines.allSatisfy { !$0.contains("\"device\"") }, "gpsd's name of its input is none")
        }
    }

    @Test func `what gpspipe -R -t writes is a log, though the time stamps tear messages`() async throws {
        let played = await PlayedLog(.path(Self.capture("gpspipe-R-t.ubx.log")))
        #expect(played.failure == nil)
        #expect(played.positions.count >= 3)
    }
}

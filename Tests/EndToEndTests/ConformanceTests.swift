import GPSDSimulation
import LocationCore
import GPSDProtocol
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@testable import LocationGPSD

/// The rules of every provider, checked with a stand-in; `SerialReceiverSourceTests` and `StreamReceiverSourceTests` check them with a real gpsd.
@Suite(.serialized, .withFew) struct ConformanceTests {
    private static let standInConformance = LocationProviderConformance(
        "a gpsd source over a stand-in", patience: .seconds(30)
    ) {
        let standIn = try StandInGPSD(positions: 100)
        return ConformanceSubject(
            standIn.source(ConnectionTimeouts(), reconnects: false),
            emit: {
                try await eventually(
                    "clients that watch", within: .seconds(30), { standIn.progress }, is: { $0.watchers == $0.clients })
                standIn.send(lines: 1)
            },
            fail: {
                standIn.hangUp()
                return LocationError.connectionLost(
                    host: standIn.endpoint.host, port: standIn.endpoint.port,
                    cause: "the daemon closed the connection")
            },
            // OptionalCount by the stand-in: a session holds one connection to it.
            runningSessions: { standIn.progress.clients })
    }

    // A live session ends only by a failure, and has the system's clock.
    @Test(arguments: ConformanceTests.standInConformance.checks(leavingOut: [.nothingAfterEnd, .measuresLimits]))
    func `a stand-in source conforms`(check: LocationProviderConformance.Check) async throws { try await check.run() }

    private static let lines = (0..<40).map { second in
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(LogKind.start.advanced(by: .seconds(second)))","lat":1,"lon":2}"#
    }
    private static let points = (0..<40).map { second in
        "<trkpt lat='1' lon='2.\(second)'><time>\(LogKind.start.advanced(by: .seconds(second)))</time></trkpt>"
    }

    /// Returns a provider that plays a file of a kind.
    private static func provider(of kind: String, in scratch: Scratch) throws -> any LocationProvider {
        switch kind {
        case "a raw log":
            return RawLogSource(.path(try scratch.write(LogKind.simulated(.walk, seconds: 12), to: "log.nmea")))
        case "a track":
            let track = Array("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
            var reading = InputReading()
            reading.recognizer = .tracks(TimelessPoints(speed: nil, start: LogKind.start), every: nil, isRequired: true)
            let source = RecordingSource.path(try scratch.write(track, to: "track.gpx"))
            return ReplayProvider(source, pace: .max, reading: reading, options: SessionOptions())
        default:
            let path = try scratch.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "session.json")
            if kind == "a compressed recording" { _ = try Tool("gzip", ["-k", path]) }
            return ReplayProvider(.path(kind == "a recording" ? path : path + ".gz"), pace: .max)
        }
    }

    /// The sources over files: other suites check their other rules, with a manual clock, which no source can use.
    @Test(arguments: ["a recording", "a compressed recording", "a track", "a raw log"])
    func `no turn of a source over a file waits`(kind: String) async throws {
        let conformance = LocationProviderConformance(kind) {
            let scratch = try Scratch()
            return ConformanceSubject(
                try Self.provider(of: kind, in: scratch), emit: { withExtendedLifetime(scratch) {} })
        }
        for check in conformance.checks where check.rule == .turnsNeverWait { try await check.run() }
    }
}

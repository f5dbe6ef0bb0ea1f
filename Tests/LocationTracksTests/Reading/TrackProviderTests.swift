import Foundation
import LocationCore
import LocationRecordings
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@Suite(.serialized, .alone) struct TrackProviderTests {
    private static let start = Timestamp("2026-05-01T12:00:00Z")!

    private func track(_ text: String, name: String = "track", speed: Double? = nil) -> TrackProvider {
        TrackProvider(.bytes(Array(text.utf8), name: name), speed: speed, startingAt: Self.start, pace: .max)
    }

    private func failure(of provider: TrackProvider) async -> LocationError? {
        do throws(LocationError) {
            for try await _ in provider.updates() {}
            return nil
        } catch { return error }
    }

    @Test func `a route without times is passed at a speed, and is an error without one`() async throws {
        let route = "<gpx><rte><rtept lat='0' lon='0'/><rtept lat='0' lon='0.001'/></rte></gpx>"
        let locations = try await LocationRecorder(track(route, speed: 10)).untilEnded().locations
        #expect(locations.map(\.coordinate.longitude) == [0, 0.001])
        #expect(locations.first?.timestamp == Self.start)
        let seconds = try #require(locations.last?.timestamp).since(Self.start).inSeconds
        #expect(abs(seconds - 11.13) < 0.01)
        for speed in [nil, 0, -1, Double.nan, .infinity] {
            let error = await failure(of: track(route, speed: speed))
            #expect(error?.code == "untimed")
            #expect(error?.description.contains("none of its 2 points has a valid time") == true)
        }
    }

    @Test(arguments: [
        (#"{"class":"TPV","mode":3,"lat":1,"lon":2}"# + "\n", "drive.json", "it is not a track"),
        ("$GPGGA,1", "drive.nmea", "it is not a track"), ("", "empty.gpx", "it is not a track"),
        ("<html><body/></html>", "page.gpx", "its first element is html"),
        ("<gpx></trk></gpx>", "torn.gpx", "line 1: the XML is damaged"),
    ])
    func `a file that is not a track is an error with the reason`(
        _ text: String, _ name: String, _ reason: String
    ) async throws {
        let error = await failure(of: track(text, name: name))
        #expect(error?.code == "track", "\(error.debugDescription)")
        #expect(error?.description.contains("cannot read the track \(name): ") == true)
        #expect(error?.description.contains(reason) == true, "\(error.debugDescription)")
    }

    @Test func `the points before a fault precede the error`() async throws {
        let points = (0...1).map { "<trkpt lat='1' lon='2'><time>2026-05-01T12:00:0\($0)Z</time></trkpt>" }.joined()
        let session = try await LocationRecorder(track("<gpx><trk><trkseg>\(points)</trk></gpx>")).untilEnded()
        #expect(session.locations.count == 2 && session.ending != .ended)
    }

    @Test func `a missing file is unreadable, and a compressed track is decompressed`() async throws {
        #expect(await failure(of: TrackProvider(.path("/nowhere/a.gpx")))?.code == "unreadable")
        let scratch = try Scratch()
        let track = try Data(contentsOf: ReadTrack.folder.appending(path: "gpxpy-1.1.gpx"))
        _ = try Tool("gzip", [scratch.write(Array(track), to: "track.gpx")])
        let packed = TrackProvider(.path(scratch.path("track.gpx.gz")), pace: .max)
        // Each session begins again.
        for _ in 0..<2 { #expect(try await LocationRecorder(packed).untilEnded().locations.count == 6) }
    }

    @Test func `the end of a segment interrupts the states, and slow points do not`() async throws {
        let gpx = """
            <gpx><trk><trkseg><trkpt lat='1' lon='2'><time>2026-05-01T12:00:00Z</time></trkpt>\
            <trkpt lat='1' lon='2.1'><time>2026-05-01T14:00:00Z</time></trkpt></trkseg>\
            <trkseg><trkpt lat='1' lon='2.2'><time>2026-05-01T14:30:00Z</time></trkpt></trkseg></trk></gpx>
            """
        var states: [Bool] = []
        for try await change in track(gpx).states() {
            states.append(change.to.location != nil)
        }
        #expect(states == [true, false, true])
    }

    private static let conformance = LocationProviderConformance("a track") {
        let points = (0..<500).map { second in
            "<trkpt lat='1' lon='2.\(second)'><time>\(start.advanced(by: .seconds(second)))</time></trkpt>"
        }
        let clock = ManualClock()
        let bytes = Array("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
        return ConformanceSubject(
            TrackProvider(.bytes(bytes, name: "track"), clock: clock), emit: { clock.advance(by: .seconds(1)) })
    }

    @Test(
        arguments: conformance.checks.filter {
            [.tells, .momentsInOrder, .cancellationEndsWait, .answersAuthorization].contains($0.rule)
        })
    func `a track is a proper provider`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }
}

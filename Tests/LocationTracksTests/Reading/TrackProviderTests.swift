import Foundation
import LocationCore
import GPSDProtocol
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

    private static func waypoints(_ times: [String?]) -> String {
        let points = times.enumerated().map { index, time in
            "<wpt lat='0' lon='0.00\(index)'>\(time.map { "<time>2026-05-01T12:00:\($0)Z</time>" } ?? "")</wpt>"
        }
        return "<gpx version='1.1' creator='Xcode'>\(points.joined())</gpx>"
    }

    private func played(_ text: String, speed: Double? = nil) async throws -> [Location] {
        let provider = TrackProvider(
            .bytes(Array(text.utf8), name: "Drive.gpx"), speed: speed, every: .seconds(1), startingAt: Self.start,
            pace: .max)
        return try await LocationRecorder(provider).untilEnded(within: .seconds(60)).locations
    }

    @Test func `waypoints with times are played between them, with the speed and the course of the way`() async throws {
        let locations = try await played(Self.waypoints(["00", "10", "15"]))
        #expect(locations.map { $0.timestamp?.since(Self.start) } == (0...15).map { .seconds($0) })
        let length = Coordinate(latitude: 0, longitude: 0).distance(to: Coordinate(latitude: 0, longitude: 0.001))
        for (second, location) in locations.enumerated().dropFirst() {
            let speed = second <= 10 ? length / 10 : length / 5
            #expect(abs(try #require(location.speed) - speed) < 1e-6)
            #expect(abs(try #require(location.course) - 90) < 1e-6)
        }
        #expect(abs(locations[5].coordinate.longitude - 0.0005) < 1e-9)
        #expect(locations[10].coordinate.longitude == 0.001)
    }

    @Test func `waypoints without times are passed at the given speed`() async throws {
        let locations = try await played(Self.waypoints([nil, nil]), speed: 20)
        #expect(locations.count == 7 && locations.last?.coordinate.longitude == 0.001)
        #expect(locations.dropFirst().allSatisfy { abs(($0.speed ?? 0) - 20) < 0.001 })
        #expect(await failure(of: track(Self.waypoints([nil, nil])))?.code == "untimed")
    }

    @Test func `one waypoint without a time is a place, which is held for a day`() async throws {
        let place = Self.waypoints([nil])
        #expect(try await LocationRecorder(track(place)).untilEnded().locations.map(\.timestamp) == [Self.start])
        let clock = ManualClock()
        let held = TrackProvider(
            .bytes(Array(place.utf8), name: "Place.gpx"), every: .seconds(60), startingAt: Self.start, pace: .max,
            clock: clock)
        let locations = try await LocationRecorder(held).untilEnded().locations
        #expect(locations.count == 1440)
        #expect(Set(locations.map(\.coordinate)).count == 1)
    }

    @Test func `no position is made between two segments, and a long way has at most 1,000 of them`() async throws {
        func segment(_ lon: String, _ times: [String]) -> String {
            "<trkseg>"
                + times.map { "<trkpt lat='1' lon='\(lon)'><time>2026-05-\($0)Z</time></trkpt>" }.joined()
                + "</trkseg>"
        }
        let gap = "<gpx><trk>" + segment("2", ["01T12:00:00"]) + segment("3", ["01T12:00:10"]) + "</trk></gpx>"
        #expect(try await played(gap).count == 2)
        // A file of 500 bytes with points that are days apart does not become 600,000 positions.
        let days = (1...7).map { "0\($0)T12:00:00" }
        let locations = try await played("<gpx><trk>\(segment("2", days))</trk></gpx>")
        #expect(locations.count == 6001)
        #expect(locations.last?.timestamp?.description == "2026-05-07T12:00:00.000Z")
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

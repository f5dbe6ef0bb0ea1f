import LocationCore
import LocationRecordings
import LocationTesting
import LocationTracks
import Testing

func metres(ofTrack path: String, speed: Double? = nil) async throws(LocationError) -> Double {
    let track = TrackProvider(.path(path), speed: speed, pace: .max)
    var statistics = TrackStatistics()
    for try await update in track.tracked() { statistics.process(update) }
    return statistics.motion.distance
}

@Test func `a walk is played at its pace`() async throws {
    let gpx = """
        <gpx version="1.1"><trk><trkseg>
        <trkpt lat="52.5163" lon="13.3777"><time>2026-05-01T12:00:00Z</time></trkpt>
        <trkpt lat="52.5173" lon="13.3777"><time>2026-05-01T12:01:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """
    let clock = ManualClock()
    let track = TrackProvider(.bytes(Array(gpx.utf8), name: "walk.gpx"), clock: clock)
    let walk = Task { try await track.locations().reduce(into: []) { $0.append($1.coordinate.latitude) } }
    #expect(try await clock.advance(untilEndOf: walk) == [52.5163, 52.5173])
    #expect(clock.now.elapsed == .seconds(60))
}

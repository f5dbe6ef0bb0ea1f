import LocationCore
import LocationRecordings
import LocationTesting
import Testing

func recordDrive(_ provider: some LocationProvider, to path: String) async throws(LocationError) -> Int {
    var count = 0
    for try await _ in provider.recording(to: path).locations() { count += 1 }
    return count
}

func distance(of recording: RecordingSource) async throws(LocationError) -> Double {
    var (metres, last) = (0.0, Coordinate?.none)
    for try await location in ReplayProvider(recording, pace: .max).locations() {
        if let last { metres += last.distance(to: location.coordinate) }
        last = location.coordinate
    }
    return metres
}

@Test func `the distance of a recording is the length of its way`() async throws {
    let lines = [
        #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:00.000Z","lat":52.5163,"lon":13.3777}"#,
        #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:01.000Z","lat":52.5164,"lon":13.3777}"#,
    ]
    let recording = RecordingSource.bytes(Array(lines.joined(separator: "\n").utf8) + [10], name: "walk")
    #expect(abs(try await distance(of: recording) - 11.1) < 0.1)
}

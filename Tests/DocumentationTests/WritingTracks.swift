import Foundation
import LocationCore
import LocationTesting
import LocationTracks
import Testing

func writeTrack(
    of provider: some LocationProvider, to path: String, _ format: TrackFormat = .gpx
) async throws -> Int {
    let file = try TrackFile(path, format, .init(creator: "tracker", name: "drive"), existing: .replaced)
    var assembler = TrackAssembler(keepsSatellites: format.keepsSatellites)
    for try await update in provider.tracked() {
        for element in assembler.process(update) { try file.process(element) }
    }
    try file.finish()
    return file.points
}

func geoJSON(of provider: some LocationProvider) async throws(LocationError) -> String {
    var stream = TrackStream(.geojson)
    var assembler = TrackAssembler()
    var bytes: [UInt8] = []
    for try await update in provider.tracked() {
        for element in assembler.process(update) { stream.process(element, to: &bytes) }
    }
    stream.finish(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

func summarize(_ provider: some LocationProvider) async throws(LocationError) -> (metres: Double, svg: [UInt8]) {
    var statistics = TrackStatistics()
    for try await update in provider.tracked() { statistics.process(update) }
    return (statistics.motion.distance, TrackPlot(statistics, title: "drive").svg())
}

@Test func `a track in memory has a line for each part of the way`() async throws {
    let source = ScriptedLocationSource(
        [
            .location(52.51, 13.37), .location(52.52, 13.37), .searching(.noFix(seen: 2, used: 0, best: 18)),
            .location(52.53, 13.37), .location(52.54, 13.37), .end,
        ], clock: ManualClock())
    let text = try await geoJSON(of: source)
    #expect(text.components(separatedBy: "LineString").count == 3)
}

import LocationCore
import Testing

@testable import LocationTracks

struct GeoJSONPiecesTests {
    /// Returns points around the antimeridian, some on it, in segments of any length.
    private static func points(_ count: Int, seed: UInt64) -> [(point: TrackPoint, beginsSegment: Bool)] {
        var draw = SplitMix64(seed: seed)
        let longitudes = [179.5, 180, -180, -179.5, 7, 7.25]
        return (0..<count).map { number in
            let longitude = longitudes[Int(draw.unit() * 6)]
            let place = Coordinate(latitude: Double(number) / 8, longitude: longitude)
            var point = SampleTrack.point(place, draw.unit() < 0.1 ? nil : SampleTrack.start, using: &draw)
            if draw.unit() < 0.3 { point.location.altitudeMSL = nil }
            return (point, draw.unit() < 0.3)
        }
    }

    @Test(arguments: 0..<60)
    func `the pieces of a track are the file of a stream`(seed: Int) {
        let points = Self.points(seed, seed: UInt64(seed))
        var (stream, file) = (TrackStream(.geojson), [UInt8]())
        for (place, point) in points.enumerated() {
            if point.beginsSegment, place > 0 { stream.process(.gap(.missing), to: &file) }
            stream.process(.point(point.point), to: &file)
        }
        stream.finish(to: &file)
        for size in [1, 100, 4096, 1_000_000] {
            var pieces = GeoJSONPieces(
                count: points.count, beginsSegment: { points[$0].beginsSegment },
                vertex: { GeoJSONVertex(points[$0].point.location) })
            var bytes: [UInt8] = []
            while case let piece = pieces.next(size), !piece.isEmpty {
                #expect(piece.count < size + 200)
                bytes += piece
            }
            #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: file, as: UTF8.self))
        }
    }
}

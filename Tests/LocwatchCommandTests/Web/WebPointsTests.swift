import Foundation
import LocationCore
import LocationTracks
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchCommand

@Suite struct WebPointsTests {
    /// Returns points a second apart, of which every hundredth begins a segment, and some cross the antimeridian.
    private static func points(_ range: Range<Int>, into points: WebPoints = WebPoints()) -> WebPoints {
        var points = points
        for second in range {
            var location = ScriptedSession.location(Double(second), latitude: Double(second) / 1e6)
            if second % 250 > 200 { location.coordinate = Self.edge(second) }
            points.append(
                WebPoint(
                    TrackPoint(location, seen: 9, used: 7, dilution: DilutionOfPrecision()),
                    beginsSegment: second % 100 == 0))
        }
        return points
    }

    private static func edge(_ second: Int) -> Coordinate {
        Coordinate(latitude: Double(second) / 1e6, longitude: second % 2 == 0 ? 179.9 : -179.9)
    }

    /// Returns the file that a stream makes of all points.
    private static func file(_ format: TrackFormat, _ points: WebPoints) -> [UInt8] {
        var (stream, bytes) = (TrackStream(format), [UInt8]())
        for (place, point) in points.list.enumerated() {
            if point.beginsSegment, place > 0 { stream.process(.gap(.missing), to: &bytes) }
            stream.process(.point(point.full), to: &bytes)
        }
        stream.finish(to: &bytes)
        return bytes
    }

    @Test(arguments: [0, 1, 99, 101, 1200])
    func `the files in pieces are those of the whole track`(count: Int) throws {
        let points = Self.points(0..<count)
        #expect(points.gpx.whole == Self.file(.gpx, points))
        #expect(points.geojson.whole == Self.file(.geojson, points))
        let recent = try JSONSerialization.jsonObject(with: Data(points.recent.whole)) as? [String: Any]
        #expect((recent?["points"] as? [[Any]])?.count == count)
    }

    @Test func `no piece is large`() {
        let points = Self.points(0..<5000)
        for text in [points.gpx, points.geojson, points.recent] {
            let sizes = text.sizes
            #expect(sizes.count > 20)
            #expect(sizes.allSatisfy { $0 < 17_000 } && sizes.dropFirst().allSatisfy { $0 < 5000 })
        }
    }

    @Test func `a response has the points of the time of its request, also when the track loses some`() {
        let before = Self.points(0..<(WebPoints.limit - 10))
        let expected = [Self.file(.gpx, before), Self.file(.geojson, before)]
        var texts = [before.gpx, before.geojson]
        let first = texts.indices.map { texts[$0].next() }
        let after = Self.points((WebPoints.limit - 10)..<(WebPoints.limit + 10), into: before)
        #expect(after.list.count < before.list.count)
        for place in texts.indices { #expect(first[place] + texts[place].whole == expected[place]) }
    }

    @Test func `responses can hold only a few editions of points that the track has lost`() {
        var (points, texts) = (WebPoints(), [TextPieces]())
        for edition in 0..<(WebPoints.formerEditionLimit * 2) {
            #expect(points.isCrowded == (edition > WebPoints.formerEditionLimit))
            // Two responses of one edition share its points.
            texts += [points.gpx, points.geojson]
            points = Self.points(0..<WebPoints.limit, into: points)
        }
        #expect(points.isCrowded)
        let site = WebSite(hosts: HostRule(), token: nil, tileOrigin: nil, facts: [])
        var data = WebSite.Data(state: WebState(.standard, Settings()), track: WebTrack(), metrics: .init())
        data.track.points = points
        for path in ["/track.gpx", "/track.geojson", "/history.json"] {
            let response = site.response(to: WebRequest(path: path)) { data }
            #expect(response.status == 503 && response.headers.contains { $0.name == "Retry-After" })
        }
        texts.removeAll()
        #expect(!points.isCrowded)
    }

    @Test func `a list shares its elements with its copies, and each keeps its own`() {
        var list = ChunkedList<Int>()
        var copies: [ChunkedList<Int>] = []
        for number in 0..<500 {
            list.append(number)
            copies.append(list)
            list[number / 2] += 1000
        }
        #expect(copies[99].count == 100 && copies[99].last == 99)
        #expect(copies[99].prefix(40).allSatisfy { $0 >= 2000 })
        #expect(list.count == 500 && list[499] == 499 && list[249] == 2249)
    }
}

extension TextPieces {
    /// The sizes of all pieces.
    var sizes: [Int] {
        var (rest, sizes) = (self, [Int]())
        while case let piece = rest.next(), !piece.isEmpty { sizes.append(piece.count) }
        return sizes
    }

    /// The rest of the text.
    var whole: [UInt8] {
        var (rest, bytes) = (self, [UInt8]())
        while case let piece = rest.next(), !piece.isEmpty { bytes += piece }
        return bytes
    }
}

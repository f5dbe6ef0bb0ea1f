import Foundation
import LocationCore
import LocationTracks
import Testing

struct DetailsTests {
    @Test func `a row of CSV has the judgement of its position, and the error against a point`() throws {
        let place = Coordinate(latitude: 1, longitude: 2)
        var point = TrackPoint(Location(coordinate: place, altitudeMSL: 7))
        let columns = try #require(
            CSVColumns(["stationary", "integrity", "error", "errorEast", "errorNorth", "errorUp", "alt"]))
        func row() -> String {
            let text = SampleTrack.written([.point(point)], as: .csv, .init(columns: columns))
            return String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n")[1]
        }
        #expect(row() == ",,,,,,7")
        (point.isStationary, point.verdict) = (true, .suspect)
        point.error = ReferencePoint(place, height: 5).error(of: point.location)
        #expect(row() == "1,suspect,0,0,0,2,7")
    }

    @Test(arguments: LocationDetails.fields.map { "\($0.name)" })
    func `every detail is in CSV, in the points of GeoJSON and in gpsd's JSON`(name: String) throws {
        let place = try #require(LocationNumbers.places[name])
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), device: "/dev/a")
        location[number: place] = 7
        let track = [TrackElement.point(TrackPoint(location))]
        func text(_ format: TrackFormat, _ options: TrackFormat.Options = .init()) -> String {
            String(decoding: SampleTrack.written(track, as: format, options), as: UTF8.self)
        }
        #expect(text(.geojson, .init(pointFeatures: true)).contains("\"\(name)\":7"))
        #expect(text(.json).contains("\"\(LocationNumbers.fields[place].gpsdName)\":7"))
        let columns = try #require(CSVColumns([name]))
        #expect(text(.csv, .init(columns: columns)) == "\(name)\r\n7\r\n")
    }
}

import LocationCore
import LocationTracks
import Testing

struct DetailsTests {
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

import Foundation
import LocationCore
import LocationTesting
import Testing

@Suite struct SimulatedLocationTests {
    private static let place = Location(coordinate: Coordinate(latitude: 52.5, longitude: 13.4))

    @Test func `the positions of a script are marked, also those that a test forces`() async throws {
        let source = ScriptedLocationSource(
            [
                .location(Self.place), .location(1, 2),
                .randomWalk(from: Self.place.coordinate, steps: 1, every: .zero, seed: 1),
                .route([Self.place.coordinate], speed: 1),
            ], clock: ManualClock())
        let recorder = LocationRecorder(source)
        source.forceLocation(Self.place)
        let session = try await recorder.wait(for: "the positions") { $0.locations.count == 5 }
        #expect(session.locations.map(\.isSimulated) == [true, true, true, true, true])
    }

    @Test func `the mark takes no part in comparisons, and is stored where it is set`() throws {
        var marked = Self.place
        marked.isSimulated = true
        #expect(marked == Self.place && marked.hashValue == Self.place.hashValue && !Self.place.isSimulated)
        func restored(_ location: Location) throws -> Location {
            try JSONDecoder().decode(Location.self, from: try JSONEncoder().encode(location))
        }
        #expect(try restored(marked).isSimulated)
        #expect(try !restored(Self.place).isSimulated)
    }

    @Test func `the distance of two positions is that of their coordinates`() {
        let other = Location(coordinate: Coordinate(latitude: 52.6, longitude: 13.4))
        #expect(Self.place.distance(to: other) == Self.place.coordinate.distance(to: other.coordinate))
    }
}

import Foundation
import LocationCore
import LocationFoundation
import LocationTesting
import Testing

func date(of location: Location) -> Date? { location.timestamp.map { Date($0) } }

@Suite struct LocationFoundationTests {
    @Test func `a position has a date`() {
        let here = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: .testEpoch)
        #expect(date(of: here)?.timeIntervalSince1970 == 1_767_225_600)
    }

    @Test(arguments: LocationError.samples) func `an alert shows the description of an error`(error: LocationError) {
        #expect((error as any Error).localizedDescription == error.description)
    }
}

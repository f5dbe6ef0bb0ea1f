import LocationCore
import LocationTesting

/// Positions that many tests need.
enum Sample {
    static let gate = numbered(0)

    /// Positions that lie 111 m apart, northwards.
    static func numbered(_ number: Int) -> Location {
        Location(
            coordinate: Coordinate(latitude: 52.5163 + Double(number) / 1000, longitude: 13.3777),
            horizontalAccuracy: 5)
    }
}

extension Location {
    /// The same position with some fields changed.
    func with(_ change: (inout Location) -> Void) -> Location {
        var location = self
        change(&location)
        return location
    }
}

extension Moment {
    /// A moment of a session of the test kit.
    static func after(_ elapsed: Duration) -> Moment {
        Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed))
    }
}

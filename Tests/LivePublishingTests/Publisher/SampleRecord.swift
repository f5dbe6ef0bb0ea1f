import LocationCore
import LocationPublishing

/// Returns the record of a second.
func record(_ second: Int) -> PublishRecord {
    let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(second))
    let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time)
    return PublishRecord(.moved, created: time, location: location)
}

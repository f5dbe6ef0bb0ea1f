import LocationCore
package import LocationPublishing

/// A queue of positions in memory, one per second.
package final class PositionQueue: TargetPlace {
    package var end: UInt64
    /// The number of the oldest record that is not lost.
    package var start: UInt64 = 0
    /// The occasions of the records that are no positions.
    package var occasions: [UInt64: PublishRecord.Occasion] = [:]
    /// The number of the oldest record that the target has not taken.
    package var cursor: UInt64 { stored.low }
    /// Whether marks are stored at all.
    package var survives = true
    private let step: Double

    /// Creates a queue of positions whose latitudes are multiples of a step.
    package init(count: UInt64, step: Double = 1) {
        end = count
        self.step = step
    }

    package func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
        let first = max(start, number)
        return (first..<max(first, end)).prefix(limit).map { number in
            let place = Coordinate(latitude: Double(number) * step, longitude: 0)
            let time = Timestamp(secondsSince1970: Double(number))
            let location = Location(coordinate: place, timestamp: time)
            return QueuedRecord(number, PublishRecord(occasions[number] ?? .moved, created: time, location: location))
        }
    }

    /// The mark that was stored last, and how often one was.
    package private(set) var stored = DeliveryMark(low: 0)
    package private(set) var stores = 0

    package func store(_ mark: DeliveryMark) {
        stored = mark
        stores += 1
    }
}

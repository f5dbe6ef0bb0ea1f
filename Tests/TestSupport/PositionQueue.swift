import LocationCore
package import LocationPublishing

/// A queue of positions in memory, one per second.
package final class PositionQueue: RecordSource {
    package var end: UInt64
    /// The numbers of the records that are losses of the position.
    package var losses: Set<UInt64> = []
    package private(set) var cursor = DeliveryProgress.Cursor(low: 0)
    private let step: Double

    /// Creates a queue of positions whose latitudes are multiples of a step.
    package init(count: UInt64, step: Double = 1) {
        end = count
        self.step = step
    }

    package func records(from number: UInt64, limit: Int) -> [QueuedRecord] {
        (number..<min(end, number + UInt64(limit))).map { number in
            let place = Coordinate(latitude: Double(number) * step, longitude: 0)
            let time = Timestamp(secondsSince1970: Double(number))
            let occasion: PublishRecord.Occasion = losses.contains(number) ? .lost : .moved
            return QueuedRecord(
                number, PublishRecord(occasion, created: time, location: Location(coordinate: place, timestamp: time))
            )
        }
    }

    package func store(_ cursor: DeliveryProgress.Cursor) { self.cursor = cursor }
}

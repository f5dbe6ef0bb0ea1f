import LocationCore
import LocationPublishing

/// A queue of positions in memory.
final class PositionQueue: RecordSource {
    var end: UInt64
    /// The numbers of the records that are losses of the position.
    var losses: Set<UInt64> = []
    private(set) var cursor = DeliveryProgress.Cursor(low: 0)

    init(count: UInt64) { end = count }

    func records(from number: UInt64, limit: Int, isOld: Bool) -> [QueuedRecord] {
        (number..<min(end, number + UInt64(limit))).map { number in
            let place = Coordinate(latitude: Double(number), longitude: 0)
            let time = Timestamp(secondsSince1970: Double(number))
            let occasion: PublishRecord.Occasion = losses.contains(number) ? .lost : .moved
            return QueuedRecord(
                number, PublishRecord(occasion, created: time, location: Location(coordinate: place, timestamp: time))
            )
        }
    }

    func store(_ cursor: DeliveryProgress.Cursor) { self.cursor = cursor }
}

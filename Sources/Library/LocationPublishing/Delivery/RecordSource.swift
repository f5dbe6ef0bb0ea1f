/// The queue as the delivery to a target sees it.
package protocol RecordSource: AnyObject {
    /// The number that the next record will get.
    var end: UInt64 { get }
    /// Returns the first records from a number on, in order; numbers that are missing among them are lost.
    func records(from number: UInt64, limit: Int) -> [QueuedRecord]
    /// Whether the last call of `records` failed, so that nothing is known about the records; they are read again later.
    var hasFailed: Bool { get }
    /// Stores the cursor of the target, at the latest when the program ends.
    func store(_ cursor: DeliveryProgress.Cursor)
}

extension RecordSource {
    package var hasFailed: Bool { false }
}

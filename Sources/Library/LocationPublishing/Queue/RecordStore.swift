package import LocationCore

/// A queue of records for several targets, in files or in memory.
///
/// One thread uses it, which can wait for the disk; a session hands its records to that thread through a `RecordHandover`.
package protocol RecordStore: AnyObject {
    /// Appends records in their order, and returns the number of each, or the reason for which it is lost.
    ///
    /// There are fewer results than records if another program keeps the rest from being stored for the moment.
    func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>]
    /// The number that the next record will get.
    var end: UInt64 { get }
    /// Waits until every record is on the disk.
    func sync() throws(PublishError)
    /// Removes records that are older than the limit on the age, if there is one.
    func expire(at now: Timestamp) throws(PublishError)
    /// Removes records that every target has taken.
    func release(below number: UInt64) throws(PublishError)
    /// The number of records that were removed before every target had taken them.
    var dropped: UInt64 { get }
    /// The number of records that could not be read.
    var unreadable: UInt64 { get }
    /// Returns the place of a target in the queue; a target without one begins with the next record.
    ///
    /// - Parameter name: A name for the target, such as ``TargetWord/fileName``.
    func place(named name: String) throws(PublishError) -> any TargetPlace
}

/// The place of one target in a queue.
package protocol TargetPlace: AnyObject {
    /// The mark that the last run of the program has left.
    var stored: DeliveryMark { get }
    /// Whether the place outlives the program, so that storing a mark is of use.
    var survives: Bool { get }
    /// The number below which the queue has no records any more.
    var start: UInt64 { get }
    /// The number that the next record will get.
    var end: UInt64 { get }
    /// Returns the first records from a number on, in order; numbers that are missing among them are lost.
    ///
    /// If the queue cannot be read, it returns `nil`: nothing is known about the records then, and they are read again later.
    func records(from number: UInt64, limit: Int) -> [QueuedRecord]?
    /// Stores a mark at once, so that it outlives a killed program.
    func store(_ mark: DeliveryMark)
    /// The last failure to read or to store, if any.
    var failure: PublishError? { get }
}

extension TargetPlace {
    package var survives: Bool { true }
    package var failure: PublishError? { nil }
}

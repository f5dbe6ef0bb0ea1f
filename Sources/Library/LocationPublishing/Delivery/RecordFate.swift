/// The fate of a record at one target.
public enum RecordFate: Hashable, Sendable {
    /// The record waits in the queue.
    case queued
    /// The target has taken the record.
    case taken
    /// The target needs no message for the record, such as a loss of the position where only positions are sent.
    case omitted
    /// The target has refused the record as such five times, so that it was set aside.
    case rejected
    /// The target takes no old records, or the queue has lost the record.
    case dropped
}

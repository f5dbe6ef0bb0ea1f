/// A filter of positions for receivers that know times in whole seconds only: of each second, the first passes.
///
/// The same record passes again, because it may have to be sent twice.
struct OnePerSecond: Hashable, Sendable {
    /// The last live record that passed, and the last one from a backlog.
    private var current: PublishRecord?
    private var old: PublishRecord?

    mutating func admits(_ record: PublishRecord, isOld: Bool) -> Bool {
        var record = record
        record.isRepeated = false
        let second = record.time.wholeSeconds
        for other in [current, old] {
            guard let other, other.time.wholeSeconds == second else { continue }
            return other == record
        }
        if isOld { old = record } else { current = record }
        return true
    }
}

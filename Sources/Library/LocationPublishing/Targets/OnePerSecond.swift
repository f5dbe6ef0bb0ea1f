/// A filter of positions for receivers that know times in whole seconds only: of each second, the first passes.
///
/// The same record passes again, because it may have to be sent twice.
struct OnePerSecond: Hashable, Sendable {
    /// The last records that passed, of the live ones and of those from a backlog.
    private var last: (current: PublishRecord?, old: PublishRecord?) = (nil, nil)

    mutating func admits(_ record: PublishRecord, isOld: Bool) -> Bool {
        let second = record.time.wholeSeconds
        for other in [last.current, last.old] {
            guard let other, other.time.wholeSeconds == second else { continue }
            return other == record
        }
        if isOld { last.old = record } else { last.current = record }
        return true
    }

    static func == (left: OnePerSecond, right: OnePerSecond) -> Bool { left.last == right.last }

    func hash(into hasher: inout Hasher) {
        hasher.combine(last.current)
        hasher.combine(last.old)
    }
}

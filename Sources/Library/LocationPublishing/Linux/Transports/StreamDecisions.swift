/// The fates of records at a target whose readers acknowledge nothing: each record with a datagram is taken.
struct StreamDecisions {
    private var taken: [UInt64] = []
    private var omitted: [UInt64] = []

    /// Returns the datagrams of a record, and notes its fate.
    mutating func datagrams(for record: QueuedRecord, by target: any StreamTarget) -> [[UInt8]] {
        let datagrams = target.datagrams(for: record.record)
        if datagrams.isEmpty { omitted.append(record.number) } else { taken.append(record.number) }
        return datagrams
    }

    var events: [DeliveryEvent] {
        [(DeliveryVerdict.omitted, omitted), (.taken, taken)].filter { !$1.isEmpty }.map { .decided($0, numbers: $1) }
    }
}

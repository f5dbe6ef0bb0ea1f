/// The fates of records at a target whose readers acknowledge nothing: each record with a datagram is taken.
struct StreamDecisions {
    private var taken: [UInt64] = []
    private var omitted: [UInt64] = []

    mutating func note(_ record: QueuedRecord, _ datagrams: [[UInt8]]) {
        if datagrams.isEmpty { omitted.append(record.number) } else { taken.append(record.number) }
    }

    var events: [DeliveryEvent] {
        [(DeliveryVerdict.omitted, omitted), (.taken, taken)].filter { !$1.isEmpty }.map { .decided($0, numbers: $1) }
    }
}

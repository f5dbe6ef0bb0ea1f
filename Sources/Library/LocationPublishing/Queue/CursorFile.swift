/// The file with the cursor of one target.
///
/// It has two places, which are written in turn, each with a counter and a checksum: whenever the program or the machine
/// stops, one of them is whole.
struct CursorFile {
    /// The bytes of a place, which hold every range of a cursor.
    private static let placeSize = 16_384
    private let file: any QueueFile
    private var counter: UInt64 = 0
    /// The cursor that was stored last, if any is readable.
    let cursor: DeliveryProgress.Cursor?

    private static let suffix = ".cursor"

    /// Returns the number after the last one that a target has taken, or `nil` if a file holds no cursor.
    static func end(_ storage: any QueueStorage, _ name: String) throws(QueueError) -> UInt64? {
        guard name.hasSuffix(suffix) else { return nil }
        let cursor = try CursorFile(storage, name: String(name.dropLast(suffix.utf8.count))).cursor
        return cursor.map { $0.ahead.last?.upperBound ?? $0.low }
    }

    /// Returns the name of the file of a target.
    static func fileName(_ name: String) -> String { name + suffix }

    init(_ storage: any QueueStorage, name: String) throws(QueueError) {
        file = try storage.open(Self.fileName(name))
        let bytes = try file.read(at: 0, count: 2 * Self.placeSize)
        var newest: (counter: UInt64, cursor: DeliveryProgress.Cursor)?
        for place in 0..<2 {
            let part = Array(bytes.dropFirst(place * Self.placeSize).prefix(Self.placeSize))
            if let read = Self.decode(part), read.counter > newest?.counter ?? 0 { newest = read }
        }
        counter = newest?.counter ?? 0
        cursor = newest?.cursor
    }
}

extension CursorFile {
    /// Stores a cursor; after a failure the one stored before is still there.
    mutating func store(_ cursor: DeliveryProgress.Cursor) throws(QueueError) {
        counter += 1
        try file.write(Self.encode(counter, cursor), at: Int(counter % 2) * Self.placeSize)
    }

    private static func encode(_ counter: UInt64, _ cursor: DeliveryProgress.Cursor) -> [UInt8] {
        var archive = RecordArchive()
        var (counter, low) = (counter, cursor.low)
        var count = UInt16(cursor.ahead.count)
        archive.code(&counter)
        archive.code(&low)
        archive.code(&count)
        for range in cursor.ahead {
            var (lower, upper) = (range.lowerBound, range.upperBound)
            archive.code(&lower)
            archive.code(&upper)
        }
        var checksum = CRC32.of(archive.bytes)
        archive.code(&checksum)
        return archive.bytes
    }

    private static func decode(_ bytes: [UInt8]) -> (counter: UInt64, cursor: DeliveryProgress.Cursor)? {
        var archive = RecordArchive(reading: bytes)
        var (counter, low, count) = (UInt64(0), UInt64(0), UInt16(0))
        archive.code(&counter)
        archive.code(&low)
        archive.code(&count)
        var ahead: [Range<UInt64>] = []
        var least = low
        for _ in 0..<count {
            var (lower, upper) = (UInt64(0), UInt64(0))
            archive.code(&lower)
            archive.code(&upper)
            guard !archive.isDamaged, lower > least, upper > lower else { return nil }
            ahead.append(lower..<upper)
            least = upper
        }
        let size = 18 + 16 * Int(count)
        var checksum: UInt32 = 0
        archive.code(&checksum)
        guard !archive.isDamaged, checksum == CRC32.of(bytes.prefix(size)) else { return nil }
        guard max(counter, least) <= QueueSegment.largestNumber else { return nil }
        return (counter, DeliveryProgress.Cursor(low: low, ahead: ahead))
    }
}

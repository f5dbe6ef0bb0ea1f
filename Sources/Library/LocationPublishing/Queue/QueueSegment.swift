/// The format of a segment: records one after the other, each with its length and its checksum.
///
/// The checksum covers the number of the record too, so that a record at a wrong place is not taken for another one.
enum QueueSegment {
    /// The bytes before each record: its length and its checksum, in little-endian order.
    static let headerSize = 8
    /// The largest record in bytes.
    static let largestRecord = 1 << 16
    /// The largest record with its length and its checksum.
    static let largestFrame = headerSize + largestRecord
    /// The largest number of a record in a file that is read; no queue reaches it, so that numbers can be added to it.
    static let largestNumber = UInt64.max / 2
    /// The number of bytes read at a time.
    static let piece = 1 << 16

    /// Returns the bytes of a record in a segment.
    static func frame(_ record: [UInt8], number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(record.count + headerSize)
        append(UInt32(record.count), to: &bytes)
        append(checksum(record, number), to: &bytes)
        bytes += record
        return bytes
    }

    /// Reads the record at the start of a buffer; returns `nil` if there is none that is whole.
    static func read(_ buffer: ArraySlice<UInt8>, number: UInt64) -> (record: [UInt8], size: Int)? {
        guard let size = size(of: buffer) else { return nil }
        let record = Array(buffer.prefix(size).dropFirst(headerSize))
        guard checksum(record, number) == value(buffer, at: buffer.startIndex + 4) else { return nil }
        return (record, size)
    }

    /// Returns the size and the number of the damaged records at the start of a buffer, if a whole one follows them.
    static func damage(_ buffer: ArraySlice<UInt8>, number: UInt64) -> (size: Int, count: UInt64)? {
        var (rest, count) = (buffer, UInt64(0))
        while let size = size(of: rest) {
            rest = rest.dropFirst(size)
            count += 1
            if read(rest, number: number + count) != nil { return (buffer.count - rest.count, count) }
        }
        return nil
    }

    /// Returns the size of the record at the start of a buffer as its length says, if the buffer contains that much.
    private static func size(of buffer: ArraySlice<UInt8>) -> Int? {
        guard buffer.count >= headerSize else { return nil }
        let count = Int(value(buffer, at: buffer.startIndex))
        return count <= largestRecord && buffer.count >= headerSize + count ? headerSize + count : nil
    }

    /// Returns the name of a segment, which is the number of its first record.
    static func name(_ first: UInt64) -> String {
        let digits = String(first)
        return String(repeating: "0", count: 20 - digits.utf8.count) + digits + ".log"
    }

    /// Returns the number of a segment's first record, or `nil` if the name is not that of a segment.
    static func first(of name: String) -> UInt64? {
        guard name.utf8.count == 24, name.hasSuffix(".log") else { return nil }
        guard let first = UInt64(name.dropLast(4)), first <= largestNumber, Self.name(first) == name else { return nil }
        return first
    }

    private static func checksum(_ record: [UInt8], _ number: UInt64) -> UInt32 {
        var checksum = CRC32()
        checksum.add(record)
        checksum.add((0..<8).lazy.map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        return checksum.value
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    private static func value(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
        (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[index + $1]) }
    }
}

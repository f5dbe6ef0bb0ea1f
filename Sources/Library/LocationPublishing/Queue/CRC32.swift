/// The checksum CRC-32 of IEEE 802.3, which gzip and PNG use too.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }

    private var sum = ~UInt32(0)

    /// The checksum of the bytes so far.
    var value: UInt32 { ~sum }

    /// Adds bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        sum = Self.table.withUnsafeBufferPointer { table in
            // The index is a byte, and the table has a value for each.
            bytes.reduce(sum) { sum, byte in table[Int(truncatingIfNeeded: (sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        }
    }

    /// Returns the checksum of bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = CRC32()
        checksum.add(bytes)
        return checksum.value
    }
}

/// A reader of RTCM 3 messages that skips every other byte, so that nothing else reaches gpsd and the receiver.
struct RTCMReader: Sendable {
    /// The longest message with its frame, which fits into a pipe as a whole or not at all.
    static let longest = header + 1023 + checksum
    private static let header = 3
    private static let checksum = 3

    private var rest: [UInt8] = []
    /// The number of bytes that were skipped since the last message.
    private(set) var skipped = 0

    /// Reads bytes and calls `emit` with each whole message and its frame.
    mutating func feed(_ bytes: some Sequence<UInt8>, emit: ([UInt8]) -> Void) {
        rest += bytes
        var start = 0
        while start < rest.count {
            guard rest[start] == 0xD3 else {
                skip(&start)
                continue
            }
            guard rest.count - start >= Self.header else { break }
            // Six bits after the first byte are zero, and a message begins with its number, which has twelve.
            let length = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            guard 2...1023 ~= length else {
                skip(&start)
                continue
            }
            let end = start + Self.header + length
            guard rest.count >= end + Self.checksum else { break }
            let sum = UInt32(rest[end]) << 16 | UInt32(rest[end + 1]) << 8 | UInt32(rest[end + 2])
            guard Self.checksum(of: rest[start..<end]) == sum else {
                skip(&start)
                continue
            }
            emit(Array(rest[start..<end + Self.checksum]))
            start = end + Self.checksum
            skipped = 0
        }
        rest.removeFirst(start)
    }

    private mutating func skip(_ place: inout Int) {
        place += 1
        skipped += 1
    }

    /// Returns the checksum CRC-24Q of bytes.
    static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { sum, byte in (sum << 8 & 0xFF_FFFF) ^ table[Int(UInt8(sum >> 16) ^ byte)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 16) { sum, _ in
            sum & 0x80_0000 == 0 ? sum << 1 : (sum << 1 ^ 0x86_4CFB) & 0xFF_FFFF
        }
    }
}

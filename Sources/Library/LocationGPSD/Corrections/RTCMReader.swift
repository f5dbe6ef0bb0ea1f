/// A reader that picks the corrections out of RTCM 3, so that nothing else reaches gpsd and the receiver.
///
/// It passes whole messages with a right checksum and a number of `CorrectionNumbers`, without the beginning of a
/// manufacturer's sentence, which a receiver that does not know RTCM 3 would take for a command.
struct RTCMReader: Sendable {
    /// The longest message with its frame, which fits into a pipe as a whole or not at all.
    static let longest = header + 1023 + checksum
    private static let header = 3
    private static let checksum = 3
    /// The checksums of beginnings that were none, in bytes for each byte that was read.
    private static let allowance = 4

    private var rest: [UInt8] = []
    /// The number of bytes that were skipped since the last message.
    private(set) var skipped = 0
    /// The number of bytes that were read, without those that wait for the end of a message.
    private var passed = 0
    /// The number of bytes of which a checksum was computed; a byte can be in several possible messages.
    private(set) var summed = 0

    /// Reads bytes and calls `emit` with each correction and its frame.
    mutating func feed(_ bytes: some Sequence<UInt8>, emit: ([UInt8]) -> Void) {
        rest += bytes
        var start = 0
        func skip(_ count: Int) {
            start += count
            passed += count
            skipped += count
        }
        while start < rest.count {
            guard rest[start] == 0xD3 else {
                skip(1)
                continue
            }
            guard rest.count - start >= Self.header else { break }
            // Six bits after the first byte are zero, and a message begins with its number, which has twelve.
            let length = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
            guard 2...1023 ~= length else {
                skip(1)
                continue
            }
            let end = start + Self.header + length
            guard rest.count >= end + Self.checksum else { break }
            let sum = UInt32(rest[end]) << 16 | UInt32(rest[end + 1]) << 8 | UInt32(rest[end + 2])
            summed += end - start
            guard Self.checksum(of: rest[start..<end]) == sum else {
                // A message can begin within these bytes. A stream in which that is usually wrong is skipped as a whole,
                // so that its cost grows with its length only.
                let isAffordable = summed <= Self.allowance * (passed + Self.longest)
                skip(isAffordable ? 1 : end + Self.checksum - start)
                continue
            }
            let message = rest[start..<end + Self.checksum]
            skip(message.count)
            guard Self.isCorrection(message.dropFirst(Self.header)) else { continue }
            emit(Array(message))
            skipped = 0
        }
        rest.removeFirst(start)
    }

    /// Returns whether a message, which begins with its number, has corrections and no text for a receiver.
    private static func isCorrection(_ message: ArraySlice<UInt8>) -> Bool {
        let first = message.startIndex
        guard CorrectionNumbers.contains(Int(message[first]) << 4 | Int(message[first + 1]) >> 4) else { return false }
        // By chance corrections of a kilobyte a second have five such bytes once in 17 hours.
        return !message.indices.dropLast(4).contains { place in
            message[place] == UInt8(ascii: "$") && message[place + 1] == UInt8(ascii: "P")
                && message[(place + 2)...(place + 4)].allSatisfy { 0x41...0x5A ~= $0 }
        }
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

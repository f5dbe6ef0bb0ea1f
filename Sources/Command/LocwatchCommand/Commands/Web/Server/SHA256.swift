import Glibc
import LocationCore

/// The hash function SHA-256 (FIPS 180-4), for a text of a few hundred bytes.
///
/// It is here because no library that the program opens offers one: GnuTLS, which libmicrohttpd brings along, is Debian's choice and
/// not part of its interface.
enum SHA256 {
    /// Returns the hash of a text in hexadecimal digits.
    static func hash(_ text: String) -> String {
        var bytes = Array(text.utf8) + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let length = UInt64(text.utf8.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
        var state = initial
        for start in stride(from: 0, to: bytes.count, by: 64) { process(bytes[start..<start + 64], into: &state) }
        return state.map(\.hexadecimal).joined()
    }

    private static func process(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = turn(early, 7) ^ turn(early, 18) ^ early >> 3
            let second = turn(late, 17) ^ turn(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var (a, b, c, d, e, f, g, h) = (
            state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
        )
        for (word, constant) in zip(words, constants) {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice &+ constant &+ word
            let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 64 primes, from whose roots the standard takes its constants.
    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    private static let constants = primes.map { fraction(cbrt(Double($0))) }

    /// Returns the first 32 bits of the fraction of a number.
    private static func fraction(_ root: Double) -> UInt32 { UInt32(clamping: (root - root.rounded(.down)) * 0x1p32) }
}

import LocwatchSession

/// The search for the speed of a serial line that gpsd cannot read: the line is read at one speed after another.
struct SpeedSearch {
    /// The speeds of receivers, the most frequent ones first.
    private static let usual = [9600, 115_200, 38_400, 4800, 57_600, 19_200, 230_400, 460_800]
    /// The time in which a receiver that sends once a second is heard.
    private static let second = Duration.milliseconds(1300)
    /// The time after which a line without a byte is silent.
    private static let silence = Duration.milliseconds(2500)
    /// The bytes without a packet that show a wrong speed.
    private static let enough = 1500

    enum Outcome: Hashable, Sendable {
        /// The line cannot be read.
        case unreadable
        /// No byte comes.
        case silent
        /// Packets of a protocol come at a speed.
        case packets(String, speed: Int)
        /// Bytes come at each speed that was tried, but no packet.
        case garbage(tried: [Int])
    }

    /// Returns the speeds to try in place of those that have failed, in words.
    static func alternatives(to failed: Set<Int>) -> [Int] { usual.filter { !failed.contains($0) } }

    /// Reads a line at each usual speed until packets come.
    ///
    /// - Parameter failed: The speed at which gpsd read the line, if it was given; it is not tried again.
    static func run(on path: String, failed: Int?, _ machine: any ExaminedMachine) -> Outcome {
        // Any byte at any speed shows that something sends.
        guard let heard = machine.bytes(from: path, at: failed, within: silence, until: { !$0.isEmpty }) else {
            return .unreadable
        }
        guard !heard.isEmpty else { return .silent }
        let speeds = alternatives(to: Set([failed].compactMap(\.self)))
        for speed in speeds {
            let isEnough = { (bytes: [UInt8]) in ReceiverPackets.name(in: bytes) != nil || bytes.count >= enough }
            guard let bytes = machine.bytes(from: path, at: speed, within: second, until: isEnough) else {
                return .unreadable
            }
            if let name = ReceiverPackets.name(in: bytes) { return .packets(name, speed: speed) }
        }
        return .garbage(tried: speeds)
    }
}

/// The packets of receivers in bytes: sentences of NMEA, and messages of UBX, both with their checksums.
enum ReceiverPackets {
    /// Returns the name of the protocol of the first packet, or `nil` if there is none.
    static func name(in bytes: [UInt8]) -> String? {
        for (start, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "$"), UInt8(ascii: "!"): if isSentence(bytes[start...]) { return "NMEA" }
            case 0xB5: if isMessage(bytes[start...]) { return "UBX" }
            default: break
            }
        }
        return nil
    }

    private static func isSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
        let body = bytes.dropFirst().prefix(100).prefix { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "*") }
        let digits = bytes[body.endIndex...].dropFirst().prefix(2)
        guard body.count > 5, body.endIndex < bytes.endIndex, bytes[body.endIndex] == UInt8(ascii: "*"),
            let sum = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), digits.count == 2
        else { return false }
        return body.reduce(0, ^) == sum
    }

    private static func isMessage(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        guard bytes.count >= 8, bytes[start + 1] == 0x62 else { return false }
        let length = Int(bytes[start + 4]) + Int(bytes[start + 5]) << 8
        guard bytes.count >= length + 8 else { return false }
        var sums: (UInt8, UInt8) = (0, 0)
        for byte in bytes[(start + 2)..<(start + 6 + length)] {
            sums.0 &+= byte
            sums.1 &+= sums.0
        }
        return sums == (bytes[start + 6 + length], bytes[start + 7 + length])
    }
}

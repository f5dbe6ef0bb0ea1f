/// The beginnings of the messages of receivers, by which a log is recognized.
enum ReceiverBytes {
    /// The bytes with which the binary messages of a protocol begin.
    private static let protocols: [(bytes: [UInt8], name: String)] = [
        ([0xB5, 0x62], "UBX messages"),
        ([0xA0, 0xA2], "SiRF messages"),
        ([0xA0, 0xA1], "SkyTraq messages"),
        ([0xD3, 0x00], "RTCM 3 messages"),
        ([0xF1, 0xD9], "Allystar messages"),
        ([0x02, 0x99, 0x66], "Navcom messages"),
        (Array("@@".utf8), "Motorola Oncore messages"),
        (Array("RE".utf8) + [0x30], "GREIS messages"),
        ([0xFF, 0x81], "Zodiac messages"),
    ]
    /// The number of bytes in which a binary message is looked for, because text can precede it.
    private static let searched = 1024

    /// Returns the kind of the messages in words, or `nil` if there is none that gpsd knows.
    static func kind(of beginning: [UInt8]) -> String? {
        binaryKind(of: beginning.prefix(searched)) ?? (hasSentence(beginning) ? "NMEA sentences" : nil)
    }

    /// Returns the kind of the messages with which a log begins in words, or `nil` if it does not begin with one.
    ///
    /// Of a log of another format, two bytes within it are such a beginning by chance.
    static func leadingKind(of beginning: [UInt8]) -> String? {
        protocols.first { beginning.starts(with: $0.bytes) }?.name
            ?? (hasSentence(beginning) ? "NMEA sentences" : nil)
    }

    /// Returns the protocol of the first binary message in words, or `nil` if there is none.
    static func binaryKind(of bytes: ArraySlice<UInt8>) -> String? {
        for (index, byte) in zip(bytes.indices, bytes) {
            for known in protocols where byte == known.bytes[0] {
                if bytes[index...].starts(with: known.bytes) { return known.name }
            }
        }
        return nil
    }

    /// Returns whether bytes contain the beginning of a sentence, such as `$GPGGA,` or `!AIVDM,`.
    private static func hasSentence(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { beginsSentence(bytes[$0...]) }
    }

    static func beginsSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!") else { return false }
        let name = bytes.dropFirst().prefix { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
        guard 3...8 ~= name.count, name.endIndex < bytes.endIndex, 0x41...0x5A ~= name[name.startIndex] else {
            return false
        }
        return bytes[name.endIndex] == UInt8(ascii: ",")
    }
}

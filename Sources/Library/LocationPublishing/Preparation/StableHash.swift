/// A hash that is the same in every run of a program (FNV-1a, 64 bits), for names of files and clients; it keeps no secret.
enum StableHash {
    /// Returns the hash of texts; where one ends and the next begins matters.
    static func of(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            // No byte of UTF-8 is 255.
            for byte in Array(text.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return hash
    }
}

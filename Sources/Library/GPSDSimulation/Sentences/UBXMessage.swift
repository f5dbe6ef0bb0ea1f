/// The frame of a binary message of u-blox.
enum UBXMessage {
    /// Returns the bytes of a message, whose kind is its class and its number, with its checksums.
    static func bytes(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let count = UInt16(clamping: payload.count)
        let head = [kind >> 8, kind & 0xFF, count & 0xFF, count >> 8].map(UInt8.init)
        let body = head + payload
        var (first, second): (UInt8, UInt8) = (0, 0)
        for byte in body {
            first &+= byte
            second &+= first
        }
        return [0xB5, 0x62] + body + [first, second]
    }
}

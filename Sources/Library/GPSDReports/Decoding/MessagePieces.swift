/// The bytes of a receiver in pieces, each of which holds the end of one message at most.
///
/// gpsdecode 3.22 decodes one message for each of its reads. What it gets in one read but does not decode waits for the
/// next ones, so a live input that arrives in bursts would be decoded many seconds late. Pieces that are too small only
/// cost time.
struct MessagePieces: Sequence, IteratorProtocol {
    /// The maximum length of a piece of text, and of a piece with other bytes, in which the ends of messages are not
    /// always recognized.
    private static let longest = (text: 256, binary: 32)

    private let bytes: ArraySlice<UInt8>
    private var start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        start = bytes.startIndex
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard start < bytes.endIndex else { return nil }
        defer { start = end }
        return bytes[start..<end]
    }

    /// The end of the piece that begins at `start`.
    private var end: Int {
        var isText = true
        var index = start
        while index < bytes.endIndex {
            let byte = bytes[index]
            isText = isText && (0x20..<0x7F ~= byte || 0x09...0x0D ~= byte)
            let following = index + 1 < bytes.endIndex ? bytes[index + 1] : nil
            if index > start, let following, Self.isBeginning(byte, following) { return index }
            index += 1
            if byte == UInt8(ascii: "\n") { return index }
            // The end of a message of Trimble's, Garmin's and others' protocols.
            if byte == 0x03, index - start >= 2, bytes[index - 2] == 0x10 { return index }
            if index - start >= (isText ? Self.longest.text : Self.longest.binary) { return index }
        }
        return bytes.endIndex
    }

    /// Returns whether two bytes begin a message.
    private static func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (0xB5, 0x62), (0xA0, 0xA2), (0xA0, 0xA1), (0xFF, 0x81), (0xF1, 0xD9), (0x02, 0x99): true
        case (0xD3, 0x00...0x03): true
        case (UInt8(ascii: "$"), 0x41...0x5A), (UInt8(ascii: "!"), 0x41...0x5A): true
        case (UInt8(ascii: "@"), UInt8(ascii: "@")): true
        default: false
        }
    }
}

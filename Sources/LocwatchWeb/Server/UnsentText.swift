/// A text of which a part was sent.
struct UnsentText: Sendable {
    private var bytes: [UInt8]
    private var sent = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }
    /// The memory of the text in bytes.
    var size: Int { bytes.count }

    /// Copies the next bytes into a buffer, and releases the text after its last one; returns their number.
    mutating func move(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let part = bytes[sent...].prefix(buffer.count)
        _ = buffer.update(fromContentsOf: part)
        sent += part.count
        if sent == bytes.count { self = UnsentText() }
        return part.count
    }
}

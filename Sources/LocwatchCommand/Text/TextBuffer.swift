/// Bytes of text on their way out: one buffer takes line after line, and its memory is kept.
struct TextBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// The text so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// How many bytes there are.
    var count: Int { bytes.count }

    /// Forgets the text and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Forgets everything from a place on.
    mutating func cut(to count: Int) {
        bytes.removeSubrange(count...)
    }

    mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ other: some Collection<UInt8>) {
        bytes.append(contentsOf: other)
    }

    mutating func put(repeating byte: UInt8, count: Int) {
        bytes.append(contentsOf: repeatElement(byte, count: max(0, count)))
    }

    mutating func insert(repeating byte: UInt8, count: Int, at place: Int) {
        bytes.insert(contentsOf: repeatElement(byte, count: max(0, count)), at: place)
    }

    /// A whole number.
    mutating func put(_ number: Int) {
        if number < 0 { put(UInt8(ascii: "-")) }
        put(digits: UInt64(number.magnitude))
    }

    /// The digits of a number, with zeros in front up to a width.
    mutating func put(digits number: UInt64, width: Int = 1) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { place in
            var rest = number
            var first = place.count
            // 20 digits are the most that UInt64 has; a width beyond the room is cut to it.
            let last = place.count - min(max(width, 1), place.count)
            while rest > 0 || first > last {
                first -= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                place.initializeElement(at: first, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
                rest = quotient
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: place[first...]))
        }
    }

    /// Removes zeros at the end of a fraction that began after `start`, and the point when nothing follows it.
    mutating func trimFraction(from start: Int) {
        guard bytes[start...].contains(UInt8(ascii: ".")) else { return }
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    }
}

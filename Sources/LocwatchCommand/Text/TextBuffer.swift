/// Bytes of text on their way out: one buffer takes line after line, and its memory is kept.
struct TextBuffer: Sendable {
    /// What is written stands before `count`; the rest is room, so that a field costs one check and one copy.
    private var storage: [UInt8] = []
    /// How many bytes there are.
    private(set) var count = 0

    init() {}

    /// The bytes so far, where they lie: let go of them before the next is put.
    var written: ArraySlice<UInt8> { storage[..<count] }

    /// The bytes so far.
    var bytes: [UInt8] { Array(written) }

    /// The text so far.
    var text: String { String(decoding: written, as: UTF8.self) }

    /// Forgets the text and keeps the memory.
    mutating func removeAll() {
        count = 0
    }

    /// Forgets everything from a place on.
    mutating func cut(to count: Int) {
        precondition(0...self.count ~= count, "a place within the text")
        self.count = count
    }

    /// Has `fill` write at most so many bytes at the end, and say how many it did write.
    @inline(__always)
    mutating func extend(by most: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        if storage.count - count < most { grow(by: most) }
        let end = count
        count = storage.withUnsafeMutableBufferPointer { storage in
            // At least `most` bytes lie behind `end`.
            guard let first = storage.baseAddress else { return end }
            let added = fill(first + end)
            precondition(0...most ~= added, "no more than there is room for")
            return end + added
        }
    }

    @inline(never)
    private mutating func grow(by most: Int) {
        let added = max(most, storage.count, 256)
        storage.reserveCapacity(storage.count + added)
        storage.append(contentsOf: repeatElement(0, count: added))
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        extend(by: 1) { place in
            place.pointee = byte
            return 1
        }
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        extend(by: bytes.count) { place in
            place.update(from: first, count: bytes.count)
            return bytes.count
        }
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { put($0) }
    }

    mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put($0) }
    }

    mutating func put(_ other: some Collection<UInt8>) {
        if other.withContiguousStorageIfAvailable({ put($0) }) == nil { put(Array(other)) }
    }

    mutating func put(repeating byte: UInt8, count: Int) {
        let count = max(0, count)
        extend(by: count) { place in
            place.update(repeating: byte, count: count)
            return count
        }
    }

    mutating func insert(repeating byte: UInt8, count: Int, at place: Int) {
        let tail = Array(storage[place..<self.count])
        cut(to: place)
        put(repeating: byte, count: count)
        put(tail)
    }

    /// Removes zeros at the end of a fraction that began after `start`, and the point when nothing follows it.
    mutating func trimFraction(from start: Int) {
        guard written[start...].contains(UInt8(ascii: ".")) else { return }
        while written.last == UInt8(ascii: "0") { count -= 1 }
        if written.last == UInt8(ascii: ".") { count -= 1 }
    }
}

/// A buffer of text as UTF-8 that keeps its memory when it is emptied, for reuse line by line.
struct TextBuffer: Sendable {
    /// The text up to `count`, followed by spare room, so that a field costs one check and one copy.
    private var storage: [UInt8] = []
    /// The number of bytes.
    private(set) var count = 0

    init() {}

    /// The bytes without a copy; release the slice before the next write.
    var written: ArraySlice<UInt8> { storage[..<count] }

    /// A copy of the bytes.
    var bytes: [UInt8] { Array(written) }

    /// The text.
    var text: String { String(decoding: written, as: UTF8.self) }

    /// Removes the text and keeps the memory.
    mutating func removeAll() {
        count = 0
    }

    /// Truncates the text to a number of bytes.
    mutating func cut(to count: Int) {
        precondition(0...self.count ~= count, "count must be within the text")
        self.count = count
    }

    /// Appends at most `most` bytes, which `fill` writes and counts.
    @inline(__always)
    mutating func extend(by most: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        if storage.count - count < most { grow(by: most) }
        let end = count
        count = storage.withUnsafeMutableBufferPointer { storage in
            // There are at least `most` bytes after `end`.
            guard let first = storage.baseAddress else { return end }
            let added = fill(first + end)
            precondition(0...most ~= added, "fill must not write more bytes than there is room for")
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

    /// Removes the trailing zeros of a fraction after `start`, and the point if nothing follows it.
    mutating func trimFraction(from start: Int) {
        guard written[start...].contains(UInt8(ascii: ".")) else { return }
        while written.last == UInt8(ascii: "0") { count -= 1 }
        if written.last == UInt8(ascii: ".") { count -= 1 }
    }
}

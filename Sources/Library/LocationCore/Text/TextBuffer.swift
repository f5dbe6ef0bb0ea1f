/// A buffer of text as UTF-8 that keeps its memory when it is emptied, for reuse line by line, unless it is large.
package struct TextBuffer: Sendable {
    /// The text up to `end`, followed by spare room, so that a field costs one check and one copy.
    @usableFromInline var storage: [UInt8] = []
    @usableFromInline var end = 0

    /// The number of bytes.
    @inlinable package var count: Int { end }

    @inlinable package init() {}

    /// The bytes without a copy; release the slice before the next write.
    @inlinable package var written: ArraySlice<UInt8> { storage[..<end] }

    /// The newest byte, if any.
    @inlinable package var last: UInt8? { end > 0 ? storage[end - 1] : nil }

    package var bytes: [UInt8] { Array(written) }

    /// Copies of the lines, without line breaks and without empty lines.
    package var lines: [[UInt8]] { written.split(separator: UInt8(ascii: "\n")).map(Array.init) }

    package static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var out = TextBuffer()
        write(&out)
        return out.text
    }

    package var text: String { String(decoding: written, as: UTF8.self) }

    /// The size of the memory that is kept; one long text must not take more for the rest of a session.
    @inlinable static var keptBytes: Int { 1 << 20 }

    /// Removes the text, and keeps the memory unless it is large.
    @inlinable package mutating func removeAll() {
        end = 0
        if storage.count > Self.keptBytes { storage = [] }
    }

    /// Truncates the text to a number of bytes.
    package mutating func cut(to count: Int) {
        precondition(0...end ~= count, "count must be within the text")
        end = count
    }

    /// Appends at most `most` bytes, which `fill` writes and counts.
    @inlinable @inline(__always)
    package mutating func extend(by most: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        if storage.count - end < most { grow(by: most) }
        let start = end
        end = storage.withUnsafeMutableBufferPointer { storage in
            // There are at least `most` bytes after `start`.
            guard let first = storage.baseAddress else { return start }
            let added = fill(first + start)
            precondition(0...most ~= added, "fill must not write more bytes than there is room for")
            return start + added
        }
    }

    @usableFromInline @inline(never)
    mutating func grow(by most: Int) {
        let added = max(most, storage.count, 256)
        // In a build for debugging, appending repeated elements takes 80 times as long.
        storage = Array(unsafeUninitializedCapacity: storage.count + added) { [storage] bytes, count in
            bytes[bytes.initialize(fromContentsOf: storage)...].initialize(repeating: 0)
            count = bytes.count
        }
    }

    @inlinable @inline(__always)
    package mutating func put(_ byte: UInt8) {
        extend(by: 1) { place in
            place.pointee = byte
            return 1
        }
    }

    @inlinable @inline(__always)
    package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        extend(by: bytes.count) { place in
            place.update(from: first, count: bytes.count)
            return bytes.count
        }
    }

    @inlinable @inline(__always)
    package mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { put($0) }
    }

    package mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put($0) }
    }

    package mutating func put(_ other: some Collection<UInt8>) {
        if other.withContiguousStorageIfAvailable({ put($0) }) == nil { put(Array(other)) }
    }

    /// Appends a part of another text without a slice, which would be counted as a reference.
    package mutating func put(_ range: Range<Int>, of other: TextBuffer) {
        other.storage.withUnsafeBufferPointer { put(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Appends parts of another text, in the order of their places, with a separator between them, and empties the parts.
    ///
    /// A place stands in `places` once.
    package mutating func put(
        _ places: [Int], emptying parts: inout [Range<Int>], of text: TextBuffer, separator: UInt8
    ) {
        typealias Word = SIMD16<UInt8>
        let step = MemoryLayout<Word>.size
        // Parts that do not overlap have room; those that do are checked one by one.
        let room = text.end &+ places.count &+ step
        extend(by: room) { start in
            var end = start
            text.storage.withUnsafeBytes { source in
                parts.withUnsafeMutableBufferPointer { parts in
                    let first = source.baseAddress ?? UnsafeRawPointer(start)
                    for place in places {
                        let part = parts[place]
                        parts[place] = 0..<0
                        let count = part.upperBound &- part.lowerBound
                        precondition(
                            part.upperBound <= source.count && end - start &+ count &+ step < room,
                            "a part must be within its text, and in one place")
                        if count <= step, part.lowerBound &+ step <= source.count {
                            // Most parts are short: what is copied beyond them is written over.
                            let word = first.loadUnaligned(fromByteOffset: part.lowerBound, as: Word.self)
                            UnsafeMutableRawPointer(end).storeBytes(of: word, as: Word.self)
                        } else {
                            UnsafeMutableRawPointer(end).copyMemory(from: first + part.lowerBound, byteCount: count)
                        }
                        end[count] = separator
                        end += count &+ 1
                    }
                }
            }
            return max(0, end - start - 1)
        }
    }

    package mutating func put(repeating byte: UInt8, count: Int) {
        let count = max(0, count)
        extend(by: count) { place in
            place.update(repeating: byte, count: count)
            return count
        }
    }

    package mutating func insert(repeating byte: UInt8, count: Int, at place: Int) {
        let tail = Array(storage[place..<end])
        cut(to: place)
        put(repeating: byte, count: count)
        put(tail)
    }

    /// Removes the trailing zeros of a fraction after `start`, and the point if nothing follows it.
    package mutating func trimFraction(from start: Int) {
        guard written[start...].contains(UInt8(ascii: ".")) else { return }
        while last == UInt8(ascii: "0") { end -= 1 }
        if last == UInt8(ascii: ".") { end -= 1 }
    }
}

import LocationCore

/// The text of a value that is read piece by piece; a text that is too long for a value is none.
struct ValueText {
    private static let limit = 128

    private var bytes: [UInt8] = []
    private(set) var isTooLong = false

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    mutating func append(_ piece: some Collection<UInt8>) {
        guard bytes.count + piece.count <= Self.limit else {
            isTooLong = true
            return
        }
        bytes.append(contentsOf: piece)
    }

    mutating func append(_ byte: UInt8) {
        if bytes.count < Self.limit { bytes.append(byte) } else { isTooLong = true }
    }

    var isEmpty: Bool { bytes.isEmpty && !isTooLong }

    /// The text, or `nil` if it is too long.
    var text: String? { isTooLong ? nil : String(decoding: bytes, as: UTF8.self) }

    /// The number, or `nil` if the text is not a finite one.
    var number: Double? { isTooLong ? nil : bytes.withUnsafeBufferPointer { TrackNumber.read($0) } }

    /// The time, or `nil` if the text is not a date with a time of day.
    var time: Timestamp? { isTooLong ? nil : bytes.withUnsafeBufferPointer { TrackTime.read($0) } }

    /// The numbers that are separated by commas or spaces.
    var numbers: [Double?] {
        guard !isTooLong else { return [] }
        return bytes.split { $0 == UInt8(ascii: ",") || TrackNumber.isSpace($0) }.map { part in
            part.withUnsafeBufferPointer { TrackNumber.read($0) }
        }
    }
}

/// A reader of decimal numbers, which does not accept the other forms of `Double`, such as hexadecimal digits and "nan".
enum TrackNumber {
    /// The length of a number with more digits than any that is written.
    private static let limit = 64

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Returns the number of a text with spaces around it, or `nil` if it is not a finite decimal number.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let trimmed = trimmed(text)
        guard 1...limit ~= trimmed.count,
            trimmed.allSatisfy({ 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }),
            let value = Double(String(decoding: trimmed, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var (start, end) = (text.startIndex, text.endIndex)
        while start < end, isSpace(text[start]) { start += 1 }
        while end > start, isSpace(text[end - 1]) { end -= 1 }
        return text[start..<end]
    }
}

enum TrackTime {
    /// Returns the time of a text, or `nil` if it has no date with a time of day.
    ///
    /// A time without a zone is UTC.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        ForeignTime(utf8: UnsafeBufferPointer(rebasing: TrackNumber.trimmed(text)))?.time
    }

    /// Returns the time of a number of seconds or milliseconds since 1970, or `nil` if it cannot be that of a track.
    static func read(_ number: Double) -> Timestamp? {
        switch number {
        case 1e8..<1e11: Timestamp(secondsSince1970: number)
        case 1e11..<1e14: Timestamp(secondsSince1970: number / 1000)
        default: nil
        }
    }
}

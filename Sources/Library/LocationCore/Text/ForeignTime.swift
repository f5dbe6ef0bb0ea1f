/// A date with a time of day as other programs write it, with or without an offset from UTC.
///
/// Beside RFC 3339 it accepts dates with slashes or colons, as GDAL and Exif have them, a space before the time and before the offset,
/// offsets without a colon or without minutes, and a time without seconds.
package struct ForeignTime: Hashable, Sendable {
    /// The time, which is in UTC if it has no offset.
    package let time: Timestamp
    /// Whether the text has an offset from UTC, or says that it is UTC.
    package let hasOffset: Bool

    /// The lengths of a date with the hours and minutes, and of the longest text.
    private static let lengths = 16...40

    /// Reads the bytes of a text, or returns `nil` if it is not a date with a time of day.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        if let time = Timestamp(utf8: text) {
            (self.time, hasOffset) = (time, true)
            return
        }
        guard Self.lengths ~= text.count else { return nil }
        var bytes = Array(text)
        if bytes[4] == bytes[7], "/:".utf8.contains(bytes[4]) {
            (bytes[4], bytes[7]) = (UInt8(ascii: "-"), UInt8(ascii: "-"))
        }
        if bytes.count < 17 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
        guard bytes.count >= 19 else { return nil }
        let zone = bytes[19...].firstIndex { "+-Zz".utf8.contains($0) }
        hasOffset = zone != nil
        if var zone {
            if bytes[zone - 1] == UInt8(ascii: " ") {
                bytes.remove(at: zone - 1)
                zone -= 1
            }
            let isLetter = bytes[zone] | 0x20 == UInt8(ascii: "z")
            switch bytes.count - zone {
            case 3 where !isLetter: bytes += ":00".utf8
            case 5 where !isLetter: bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
            default: break
            }
        } else {
            bytes.append(UInt8(ascii: "Z"))
        }
        guard let time = bytes.withUnsafeBufferPointer({ Timestamp(utf8: $0) }) else { return nil }
        self.time = time
    }

    /// Reads a text, or returns `nil` if it is not a date with a time of day.
    package init?(_ text: String) {
        var text = text
        guard let time = text.withUTF8({ ForeignTime(utf8: $0) }) else { return nil }
        self = time
    }
}

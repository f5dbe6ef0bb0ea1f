/// The kind and the size of a picture, as its first bytes say them.
///
/// A small file can be a picture that takes gigabytes in a browser, so that its size is read before it is given to one.
struct TilePicture: Hashable, Sendable {
    /// The largest width and height of a tile; usual ones are 256 and 512.
    static let largestSide = 1024

    let mediaType: String
    let width: Int
    let height: Int

    /// Recognizes a PNG, a JPEG or a WebP, or returns `nil` if the bytes are something else or too large a picture.
    init?(_ bytes: [UInt8]) {
        guard let (mediaType, width, height) = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.webp(bytes),
            1...Self.largestSide ~= width, 1...Self.largestSide ~= height
        else { return nil }
        (self.mediaType, self.width, self.height) = (mediaType, width, height)
    }

    private typealias Head = (mediaType: String, width: Int, height: Int)

    /// The signature and the first chunk, which has the size.
    private static func png(_ bytes: [UInt8]) -> Head? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard bytes.starts(with: start), bytes.count >= 24 else { return nil }
        return ("image/png", big(bytes, 16, 4), big(bytes, 20, 4))
    }

    /// The segments up to that of a frame, which has the size.
    private static func jpeg(_ bytes: [UInt8]) -> Head? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            switch bytes[place + 1] {
            // A byte that fills.
            case 0xFF: place += 1
            // The other numbers of this range are tables and not frames.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(bytes[place + 1]):
                return ("image/jpeg", big(bytes, place + 7, 2), big(bytes, place + 5, 2))
            // The picture begins, or ends.
            case 0xD9, 0xDA: return nil
            default: place += 2 + max(2, big(bytes, place + 2, 2))
            }
        }
        return nil
    }

    /// A file of RIFF whose first chunk is of one of three kinds.
    private static func webp(_ bytes: [UInt8]) -> Head? {
        guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8), bytes[8..<15].elementsEqual("WEBPVP8".utf8) else {
            return nil
        }
        let type = "image/webp"
        switch bytes[15] {
        case UInt8(ascii: " ") where bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]):
            return (type, little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
        case UInt8(ascii: "L") where bytes[20] == 0x2F:
            let sizes = little(bytes, 21, 4)
            return (type, (sizes & 0x3FFF) + 1, (sizes >> 14 & 0x3FFF) + 1)
        case UInt8(ascii: "X"): return (type, little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
        default: return nil
        }
    }

    private static func big(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

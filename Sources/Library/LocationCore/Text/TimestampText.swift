extension Timestamp: LosslessStringConvertible {
    /// Creates a timestamp from an RFC 3339 time as gpsd writes it (`2026-11-20T08:56:59.123Z`, also with an offset),
    /// or returns `nil`.
    ///
    /// Digits beyond the nanosecond are ignored.
    public init?(_ text: String) {
        var text = text
        let parsed = text.withUTF8 { Timestamp(utf8: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Creates a timestamp from the UTF-8 bytes of an RFC 3339 time, without allocating a string.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        var reader = DigitReader(bytes: bytes)
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2), reader.skip("T") || reader.skip(" "),
            let hour = reader.number(digits: 2), reader.skip(":"), let minute = reader.number(digits: 2),
            reader.skip(":"), let second = reader.number(digits: 2)
        else { return nil }
        var nanosecond = 0
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanosecond = fraction
        }
        guard let offset = reader.offset(), reader.isAtEnd,
            let local = Timestamp(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        else { return nil }
        self = local.advanced(by: .seconds(-offset * 60))
    }

    /// The RFC 3339 text in UTC, with 3, 6 or 9 digits after the point as needed.
    public var description: String {
        formatted(fractionDigits: Self.fractionDigits(ofNanosecond: Int64(civil.nanosecond)))
    }

    /// Returns the digits that the fraction of a second needs: 3, 6 or 9.
    static func fractionDigits(ofNanosecond nanosecond: Int64) -> Int {
        if nanosecond % 1_000_000 == 0 { return 3 }
        return nanosecond % 1000 == 0 ? 6 : 9
    }

    /// Returns the RFC 3339 text in UTC with a fixed number of digits after the point (0 … 9), truncated, not rounded.
    public func formatted(fractionDigits: Int) -> String {
        String(unsafeUninitializedCapacity: Self.room) { buffer in
            buffer.baseAddress.map { write(fractionDigits: fractionDigits, at: $0) } ?? 0
        }
    }

    /// The buffer size for an RFC 3339 time.
    @inlinable
    package static var room: Int { 30 }

    /// Writes RFC 3339 text in UTC with a fixed number of digits after the point (0 … 9), truncated, not rounded, and
    /// returns its length.
    package func write(fractionDigits: Int, at place: UnsafeMutablePointer<UInt8>) -> Int {
        let civil = civil
        let digits = max(0, min(9, fractionDigits))
        let date = EightDigits(UInt64(truncatingIfNeeded: civil.year * 10_000 + civil.month * 100 + civil.day))
        let time = EightDigits(UInt64(truncatingIfNeeded: civil.hour * 10_000 + civil.minute * 100 + civil.second))
        // Each part writes more bytes than it has, which the next one overwrites. The year always has four digits.
        date.write(without: 0, at: place)
        date.write(without: 4, at: place + 5)
        date.write(without: 6, at: place + 8)
        time.write(without: 2, at: place + 11)
        time.write(without: 4, at: place + 14)
        time.write(without: 6, at: place + 17)
        place[4] = UInt8(ascii: "-")
        place[7] = UInt8(ascii: "-")
        place[10] = UInt8(ascii: "T")
        place[13] = UInt8(ascii: ":")
        place[16] = UInt8(ascii: ":")
        place[19] = digits > 0 ? UInt8(ascii: ".") : UInt8(ascii: "Z")
        switch digits {
        case 0: return 20
        case 3:
            UInt64(truncatingIfNeeded: civil.nanosecond / 1_000_000).writeDigits(3, at: place + 20)
            place[23] = UInt8(ascii: "Z")
        default:
            // All nine digits are written; surplus ones are overwritten or lie beyond the returned length.
            UInt64(civil.nanosecond).writeDigits(9, at: place + 20)
            place[20 + digits] = UInt8(ascii: "Z")
        }
        return 21 + digits
    }
}

extension Timestamp: Codable {
    /// Reads RFC 3339 text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let parsed = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time: \(text)")
        }
        self = parsed
    }

    /// Writes RFC 3339 text that reads back to the same nanosecond.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A reader of the digits and separators of a time.
private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int? {
        guard position < bytes.count else { return nil }
        let value = Int(bytes[position]) - 48
        guard 0...9 ~= value else { return nil }
        position += 1
        return value
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads the digits after the point as nanoseconds.
    mutating func fraction() -> Int? {
        guard var value = digit() else { return nil }
        var scale = 100_000_000
        value *= scale
        while let digit = digit() {
            scale /= 10
            value += digit * scale
        }
        return value
    }

    /// Reads `Z` or an offset, in minutes.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("-") ? -1 : 1
        guard sign == -1 || skip("+"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

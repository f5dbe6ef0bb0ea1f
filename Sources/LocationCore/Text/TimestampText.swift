extension Timestamp: LosslessStringConvertible {
    /// Reads an RFC 3339 time as gpsd writes it (`2026-11-20T08:56:59.123Z`, also with an offset), or gives `nil`.
    ///
    /// Digits beyond the nanosecond are ignored.
    public init?(_ text: String) {
        var text = text
        let parsed = text.withUTF8 { Timestamp(utf8: $0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads an RFC 3339 time out of the bytes of its text, without making a string of them.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
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

    /// RFC 3339 in UTC with as many digits after the point as it needs, at least three.
    public var description: String {
        let nanosecond = civil.nanosecond
        return formatted(fractionDigits: nanosecond % 1_000_000 == 0 ? 3 : nanosecond % 1000 == 0 ? 6 : 9)
    }

    /// RFC 3339 in UTC with a fixed number of digits after the point (0 … 9), cut, not rounded.
    public func formatted(fractionDigits: Int) -> String {
        String(unsafeUninitializedCapacity: Self.room) { buffer in
            buffer.baseAddress.map { write(fractionDigits: fractionDigits, at: $0) } ?? 0
        }
    }

    /// Room for a time as RFC 3339 has it.
    @inlinable
    package static var room: Int { 30 }

    /// Writes RFC 3339 in UTC with a fixed number of digits after the point (0 … 9), cut, not rounded; answers with its
    /// length.
    package func write(fractionDigits: Int, at place: UnsafeMutablePointer<UInt8>) -> Int {
        let civil = civil
        @inline(__always) func put(
            _ number: Int, _ digits: Int, at start: Int, before separator: Unicode.Scalar
        ) {
            UInt64(number).writeDigits(digits, at: place + start)
            place[start + digits] = UInt8(ascii: separator)
        }
        let digits = max(0, min(9, fractionDigits))
        // A timestamp's years have four digits.
        put(civil.year, 4, at: 0, before: "-")
        put(civil.month, 2, at: 5, before: "-")
        put(civil.day, 2, at: 8, before: "T")
        put(civil.hour, 2, at: 11, before: ":")
        put(civil.minute, 2, at: 14, before: ":")
        put(civil.second, 2, at: 17, before: digits > 0 ? "." : "Z")
        switch digits {
        case 0: return 20
        case 3: put(civil.nanosecond / 1_000_000, 3, at: 20, before: "Z")
        default:
            // The digits that are not wanted are written over, or left behind the end.
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
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no RFC 3339 time")
        }
        self = parsed
    }

    /// Writes RFC 3339 text that reads back to the same nanosecond.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Walks over the digits and separators of a time.
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

    /// The digits after the point, as nanoseconds.
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

    /// `Z` or an offset, in minutes.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("-") ? -1 : 1
        guard sign == -1 || skip("+"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

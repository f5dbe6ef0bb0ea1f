import LocationCore

/// Functions that replace the times in a line of gpsd and leave all other bytes unchanged.
enum RedatedText {
    /// The clock that a time comes from.
    private enum Clock { case receiver, host }

    /// A key whose value is a time, and the key of its nanoseconds if they stand apart.
    private struct Field {
        var seconds: [UInt8]
        var nanoseconds: [UInt8]?
        var clock: Clock

        init(_ seconds: String, nanoseconds: String? = nil, _ clock: Clock) {
            self.seconds = Array("\"\(seconds)\":".utf8)
            self.nanoseconds = nanoseconds.map { Array("\"\($0)\":".utf8) }
            self.clock = clock
        }

        /// Returns whether a text starts with one of the keys.
        func begins(_ text: ArraySlice<UInt8>) -> Bool {
            text.starts(with: seconds) || nanoseconds.map { text.starts(with: $0) } == true
        }
    }

    private static let fields = [
        Field("time", nanoseconds: "nsec", .receiver),
        Field("activated", .host),
        Field("real_sec", nanoseconds: "real_nsec", .receiver),
        Field("clock_sec", nanoseconds: "clock_nsec", .host),
    ]
    private static let quote = UInt8(ascii: "\"")
    private static let activated = Array(#""activated":""#.utf8)

    /// Returns the line with its times moved forward; every time keeps its number of digits.
    ///
    /// - Parameters:
    ///   - time: the shift of the times by the receiver's clock.
    ///   - activated: the shift of the times by the clock of gpsd's host.
    static func shifting(_ line: ArraySlice<UInt8>, time: Duration, activated: Duration) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        var rest = line
        while let byte = rest.first {
            // A quote within a string follows a backslash, so a string cannot contain a key.
            if byte == quote, let field = fields.first(where: { $0.begins(rest) }) {
                let shift = field.clock == .receiver ? time : activated
                if let (value, count) = shifted(field, at: rest, in: line, by: shift) {
                    result += rest.prefix(count.key) + value
                    rest = rest.dropFirst(count.key + count.value)
                    continue
                }
            }
            result.append(byte)
            rest = rest.dropFirst()
        }
        return result
    }

    /// Returns a device's object with a new `activated`, which is appended if the object has none.
    static func setting(activated time: Timestamp, in object: ArraySlice<UInt8>) -> [UInt8] {
        let value = Array(time.formatted(fractionDigits: 3).utf8)
        let bytes = Array(object)
        for start in bytes.indices where bytes[start...].starts(with: activated) {
            let first = start + activated.count
            guard let end = bytes[first...].firstIndex(of: quote) else { break }
            return Array(bytes[..<first] + value + bytes[end...])
        }
        let number = Array(#""activated":0"#.utf8)
        for start in bytes.indices where bytes[start...].starts(with: number) {
            return Array(bytes[..<start] + activated + value + [quote] + bytes[(start + number.count)...])
        }
        return Array(bytes.dropLast() + [UInt8(ascii: ",")] + activated + value + Array("\"}".utf8))
    }

    /// Returns the new value of the key at the start of `text`, and the lengths of the key and of the old value.
    private static func shifted(
        _ field: Field, at text: ArraySlice<UInt8>, in line: ArraySlice<UInt8>, by shift: Duration
    ) -> (value: [UInt8], count: (key: Int, value: Int))? {
        if let key = field.nanoseconds, text.starts(with: key) {
            guard let old = Decimal(text.dropFirst(key.count)), old.digits == 0,
                let seconds = Decimal(after: field.seconds, in: line), seconds.isTime, seconds.digits == 0,
                let sum = seconds.sum(with: old, shift)
            else { return nil }
            return (Array(String(sum.nanoseconds).utf8), (key.count, old.length))
        }
        let key = field.seconds.count
        let text = text.dropFirst(key)
        if text.first == quote {
            let value = text.dropFirst().prefix { $0 != quote }
            guard value.last == UInt8(ascii: "Z"), let time = value.withUnsafeBufferPointer({ Timestamp(utf8: $0) })
            else { return nil }
            let digits = value.firstIndex(of: UInt8(ascii: ".")).map { value.endIndex - $0 - 2 } ?? 0
            let new = time.advanced(by: shift).formatted(fractionDigits: digits)
            return ([quote] + Array(new.utf8) + [quote], (key, value.count + 2))
        }
        guard let old = Decimal(text), old.isTime,
            let sum = old.sum(
                with: old.digits > 0 ? nil : field.nanoseconds.flatMap { Decimal(after: $0, in: line) }, shift)
        else { return nil }
        var new = String(sum.seconds)
        if old.digits > 0 { new += "." + DecimalText.padded(sum.nanoseconds, to: 9).prefix(old.digits) }
        return (Array(new.utf8), (key, old.length))
    }

    /// A number without a sign, as gpsd writes seconds and nanoseconds.
    private struct Decimal {
        var whole: Int
        /// The digits after the point, as nanoseconds.
        var fraction = 0
        /// The number of digits after the point.
        var digits = 0
        /// The number of characters.
        var length: Int

        /// Whether it can be a number of seconds since 1970; 0 and other small numbers mean something else.
        var isTime: Bool { whole >= 100_000_000 }

        init?(_ text: ArraySlice<UInt8>) {
            let number = text.prefix { $0.isDigit }
            // Longer numbers are not times, and could overflow.
            guard (1...11).contains(number.count) else { return nil }
            whole = number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            length = number.count
            let rest = text.dropFirst(length)
            guard rest.first == UInt8(ascii: ".") else { return }
            let decimals = rest.dropFirst().prefix { $0.isDigit }
            guard (1...9).contains(decimals.count) else { return nil }
            digits = decimals.count
            length += 1 + digits
            for index in 0..<9 {
                let digit = index < digits ? Int(decimals[decimals.startIndex + index] - UInt8(ascii: "0")) : 0
                fraction = fraction * 10 + digit
            }
        }

        /// Reads the value of the first occurrence of a key.
        init?(after key: [UInt8], in line: ArraySlice<UInt8>) {
            guard let start = line.indices.first(where: { line[$0] == quote && line[$0...].starts(with: key) }) else {
                return nil
            }
            self.init(line[(start + key.count)...])
        }

        /// Adds nanoseconds and a shift to a number of seconds; `nil` if the result is negative.
        func sum(with nanoseconds: Decimal?, _ shift: Duration) -> (seconds: Int, nanoseconds: Int)? {
            let extra = nanoseconds.map { min($0.whole, 999_999_999) } ?? 0
            let total = Duration.seconds(whole) + .nanoseconds(fraction + extra) + shift
            guard total >= .zero else { return nil }
            return (Int(total.components.seconds), Int(total.components.attoseconds / 1_000_000_000))
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

import LocationCore

/// A line of gpsd's with other times in it, and not another byte changed.
enum RedatedText {
    private static let time = Array(#""time":""#.utf8)
    private static let activated = Array(#""activated":""#.utf8)

    /// The line with its times, and those of its devices, put forward; every time keeps its number of digits.
    static func shifting(_ line: ArraySlice<UInt8>, time: Duration, activated: Duration) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        var rest = line
        while let byte = rest.first {
            // In a string a quote has a backslash before it, so that these keys cannot be part of a text.
            if byte == UInt8(ascii: "\"") {
                if rest.starts(with: Self.time), shift(&rest, key: Self.time, by: time, into: &result) { continue }
                if rest.starts(with: Self.activated), shift(&rest, key: Self.activated, by: activated, into: &result) {
                    continue
                }
            }
            result.append(byte)
            rest = rest.dropFirst()
        }
        return result
    }

    /// A device's object in which `activated` is a time, at the place where it was or at its end.
    static func setting(activated time: Timestamp, in object: ArraySlice<UInt8>) -> [UInt8] {
        let value = Array(time.formatted(fractionDigits: 3).utf8)
        let bytes = Array(object)
        for start in bytes.indices where bytes[start...].starts(with: activated) {
            let first = start + activated.count
            guard let end = bytes[first...].firstIndex(of: UInt8(ascii: "\"")) else { break }
            return Array(bytes[..<first] + value + bytes[end...])
        }
        let number = Array(#""activated":0"#.utf8)
        for start in bytes.indices where bytes[start...].starts(with: number) {
            return Array(bytes[..<start] + activated + value + [UInt8(ascii: "\"")] + bytes[(start + number.count)...])
        }
        return Array(bytes.dropLast() + [UInt8(ascii: ",")] + activated + value + Array("\"}".utf8))
    }

    /// Takes a key and its value off the rest, if the value is a time that can be shifted.
    private static func shift(
        _ rest: inout ArraySlice<UInt8>, key: [UInt8], by duration: Duration, into result: inout [UInt8]
    ) -> Bool {
        let value = rest.dropFirst(key.count).prefix { $0 != UInt8(ascii: "\"") }
        guard value.last == UInt8(ascii: "Z"), let time = value.withUnsafeBufferPointer({ Timestamp(utf8: $0) }) else {
            return false
        }
        let digits = value.firstIndex(of: UInt8(ascii: ".")).map { value.endIndex - $0 - 2 } ?? 0
        result += key
        result += time.advanced(by: duration).formatted(fractionDigits: digits).utf8
        rest = rest[value.endIndex...]
        return true
    }
}

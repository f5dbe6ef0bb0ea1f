import LocationCore

/// A JSON object that is written member by member; a member whose value is unknown is left out.
struct JSONObject {
    private var text: [UInt8] = [UInt8(ascii: "{")]

    /// The bytes of the object.
    var bytes: [UInt8] { text + [UInt8(ascii: "}")] }

    mutating func member(_ key: String, _ value: String?) {
        guard let value else { return }
        begin(key)
        JSONText.write(value) { text.append(contentsOf: $0) }
    }

    mutating func member(_ key: String, integer value: Int?) {
        guard let value else { return }
        begin(key)
        DecimalText.append(value, to: &text)
    }

    /// Appends a number with the fewest digits that read back to the same number.
    mutating func member(_ key: String, number value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        DecimalText.append(shortest: value, to: &text)
    }

    /// Appends a number that is rounded to a number of decimals, without trailing zeros.
    mutating func member(_ key: String, number value: Double?, decimals: Int) {
        guard let value, value.isFinite else { return }
        begin(key)
        DecimalText.append(value, decimals: decimals, trimmed: true, to: &text)
    }

    mutating func member(_ key: String, flag value: Bool) {
        begin(key)
        text += (value ? "true" : "false").utf8
    }

    /// Appends a time as RFC 3339 in UTC, truncated to milliseconds.
    mutating func member(_ key: String, time value: Timestamp?) {
        member(key, value?.formatted(fractionDigits: 3))
    }

    mutating func null(_ key: String) {
        begin(key)
        text += "null".utf8
    }

    mutating func member(_ key: String, object value: JSONObject) {
        begin(key)
        text += value.bytes
    }

    mutating func member(_ key: String, list values: [String]) {
        begin(key)
        text.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            JSONText.write(value) { text.append(contentsOf: $0) }
        }
        text.append(UInt8(ascii: "]"))
    }

    mutating func member(_ key: String, list values: [Double], decimals: Int) {
        begin(key)
        text.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            DecimalText.append(value, decimals: decimals, trimmed: true, to: &text)
        }
        text.append(UInt8(ascii: "]"))
    }

    mutating func member(_ key: String, list values: [JSONObject]) {
        begin(key)
        text.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += value.bytes
        }
        text.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ key: String) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        JSONText.write(key) { text.append(contentsOf: $0) }
        text.append(UInt8(ascii: ":"))
    }
}

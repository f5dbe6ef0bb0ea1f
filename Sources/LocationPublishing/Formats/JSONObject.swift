import LocationCore

/// The text of a JSON object, built member by member; a member without a value is left out.
struct JSONObject {
    /// The text so far, without the closing brace.
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// The complete text.
    var text: [UInt8] { bytes + [UInt8(ascii: "}")] }

    mutating func set(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        begin(key)
        JSONText.write(value) { bytes.append(contentsOf: $0) }
    }

    mutating func set(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        begin(key)
        DecimalText.append(value, to: &bytes)
    }

    mutating func set(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        begin(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Sets a number with at most `decimals` decimals; a number that is not finite is left out.
    mutating func set(_ key: StaticString, _ value: Double?, decimals: Int) {
        guard let value, value.isFinite else { return }
        begin(key)
        DecimalText.append(value, decimals: decimals, trimmed: true, to: &bytes)
    }

    /// Sets a number rounded to a whole one; a number that is not finite is left out.
    mutating func set(rounded key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        set(key, Int(clamping: value.rounded()))
    }

    mutating func set(_ key: StaticString, _ object: JSONObject) {
        begin(key)
        bytes.append(contentsOf: object.text)
    }

    mutating func set(_ key: StaticString, _ texts: [String]) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.write(text) { bytes.append(contentsOf: $0) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ key: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
    }
}

/// A line of InfluxDB's line protocol: the known fields of a position, with its device as a tag.
///
/// Numbers with a fraction are floats, counts are integers, marks are Boolean values, and words are strings. The quality and the
/// judgement always have a word, because a database shows the last value of a field that is left out.
package struct InfluxLine: LocationFieldVisitor {
    /// The measurement of every line.
    package static let measurement: StaticString = "locwatch"

    /// The words that stand for a usual value, which JSON leaves out.
    private static let usualWords: [String: String] = ["quality": "ordinary", "integrity": "nominal"]

    private var tags: [(key: String, value: String)] = []
    private var fields = TextBuffer()
    private let decimals: Int?

    /// Creates a line without fields.
    ///
    /// - Parameter decimals: The decimals of coordinates, or `nil` for the shortest exact text.
    package init(decimals: Int? = nil) { self.decimals = decimals }

    /// Adds a tag, unless its value is empty, which the protocol does not allow.
    package mutating func tag(_ key: StaticString, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        tags.append((key.description, value))
    }

    /// Appends the line with its line break; a line needs a field.
    package func append(at time: Timestamp, into out: inout TextBuffer) {
        guard fields.count > 0 else { return }
        out.put(Self.measurement)
        for tag in tags.sorted(by: { $0.key < $1.key }) {
            out.put(",\(tag.key)=")
            Self.put(tag: tag.value, into: &out)
        }
        out.put(UInt8(ascii: " "))
        out.put(fields.written)
        out.put(UInt8(ascii: " "))
        Self.put(integer: time.nanosecondsSince1970, into: &out)
        out.put(UInt8(ascii: "\n"))
    }

    // MARK: Fields

    package var wantsAbsent: Bool { false }

    /// Adds a time as nanoseconds; that of the position is the time of the line.
    package mutating func time(_ name: StaticString, _ value: Timestamp?) {
        guard name.description != "time" else { return }
        add(name, value) { out, time in
            Self.put(integer: time.nanosecondsSince1970, into: &out)
            out.put(UInt8(ascii: "i"))
        }
    }

    package mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        let decimals = decimals
        add(name, value) { out, value in
            if let decimals {
                out.put(trimmed: value, decimals: decimals)
            } else {
                out.put(shortest: value)
            }
        }
    }

    package mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {
        add(name, value.flatMap { $0.isFinite ? $0 : nil }) { $0.put(shortest: $1) }
    }

    package mutating func count(_ name: StaticString, _ value: Int?) {
        add(name, value) { out, value in
            out.put(value)
            out.put(UInt8(ascii: "i"))
        }
    }

    package mutating func word(_ name: StaticString, _ value: String?) {
        // The device tells whose position it is, so that it is a part of the series.
        if name.description == "device" { return tag(name, value) }
        add(name, value ?? Self.usualWords[name.description]) { out, word in
            out.put(UInt8(ascii: "\""))
            for byte in VisibleText.of(word).utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.put(UInt8(ascii: "\\")) }
                out.put(byte)
            }
            out.put(UInt8(ascii: "\""))
        }
    }

    package mutating func mark(_ name: StaticString, _ value: Bool) {
        add(name, value) { out, value in out.put(value ? "true" : "false") }
    }

    private mutating func add<Value>(
        _ name: StaticString, _ value: Value?, _ write: (inout TextBuffer, Value) -> Void
    ) {
        guard let value else { return }
        if fields.count > 0 { fields.put(UInt8(ascii: ",")) }
        fields.put(name)
        fields.put(UInt8(ascii: "="))
        write(&fields, value)
    }

    // MARK: Text

    /// Appends the value of a tag with its delimiters escaped.
    ///
    /// A backslash cannot be escaped there, and would escape the delimiter behind it; it becomes a slash.
    private static func put(tag value: String, into out: inout TextBuffer) {
        for byte in VisibleText.of(value).utf8 {
            switch byte {
            case UInt8(ascii: "\\"): out.put(UInt8(ascii: "/"))
            case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: " "):
                out.put(UInt8(ascii: "\\"))
                out.put(byte)
            default: out.put(byte)
            }
        }
    }

    private static func put(integer: Int64, into out: inout TextBuffer) {
        if integer < 0 { out.put(UInt8(ascii: "-")) }
        out.put(digits: integer.magnitude)
    }
}

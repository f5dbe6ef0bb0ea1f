import LocationCore
import Testing

@Suite struct TextBufferTests {
    private func buffer(_ text: String) -> TextBuffer {
        var buffer = TextBuffer()
        buffer.put(text)
        return buffer
    }

    @Test func `parts of a text are removed, inserted, repeated and copied`() {
        var text = buffer("one\ntwo\n\nthree")
        #expect(text.lines.map { String(decoding: $0, as: UTF8.self) } == ["one", "two", "three"])
        text.cut(to: 3)
        text.insert(repeating: UInt8(ascii: "-"), count: 2, at: 1)
        #expect(text.text == "o--ne" && text.last == UInt8(ascii: "e"))
        var copy = buffer("<")
        copy.put(1..<4, of: text)
        copy.put(repeating: UInt8(ascii: "."), count: -1)
        copy.put(repeating: UInt8(ascii: "."), count: 2)
        #expect(copy.text == "<--n..")
        copy.removeAll()
        #expect(copy.text.isEmpty && copy.last == nil)
    }

    @Test(arguments: [("1.500", "1.5"), ("100", "100"), ("-2.000", "-2"), ("0.0", "0"), ("1.25", "1.25")])
    func `the zeros at the end of a fraction are removed`(text: String, trimmed: String) {
        var buffer = buffer("0.0;\(text)")
        buffer.trimFraction(from: 4)
        #expect(buffer.text == "0.0;\(trimmed)")
    }

    @Test(
        arguments: [(0, ":07Z"), (5_000_000, ":07.005Z"), (5_001_000, ":07.005001Z"), (5_001_002, ":07.005001002Z")]
            as [(Int64, String)])
    func `a time has as many digits as it needs`(nanosecond: Int64, end: String) {
        let time = Timestamp(nanosecondsSince1970: 1_767_225_607_000_000_000 + nanosecond)
        #expect(TextBuffer.text { $0.put(exact: time) } == "2026-01-01T00:00\(end)")
    }

    @Test func `a field of CSV is quoted if necessary, and markup is escaped`() {
        let fields = ["plain", "a,b", "a\"b", "=1", "-", "\u{FF20}", "a\nb", ""]
        let written = ["plain", "\"a,b\"", "\"a\"\"b\"", "\"'=1\"", "\"'-\"", "\"'\u{FF20}\"", "a\\nb", ""]
        #expect(fields.map { field in TextBuffer.text { $0.put(csv: field) } } == written)
        #expect(TextBuffer.text { $0.put(xml: "<a & \"b\" 'c'>") } == "&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;")
    }

    @Test(arguments: [-0.5, 12, 1.0 / 3, 1e-12, 1e300] as [Double])
    func `a number stands between two texts`(number: Double) {
        let expected = TextBuffer.text { $0.put(shortest: number) }
        #expect(TextBuffer.text { $0.put("<a>", shortest: number, "</a>") } == "<a>\(expected)</a>")
    }

    @Test func `parts of a text are joined in the order of their places`() {
        var out = buffer(">")
        var parts = [0..<1, 0..<0, 1..<4, 2..<4]
        out.put([2, 0, 1], emptying: &parts, of: buffer("abcd"), separator: UInt8(ascii: ","))
        #expect(out.text == ">bcd,a,")
        #expect(parts == [0..<0, 0..<0, 0..<0, 2..<4])
        out.put([], emptying: &parts, of: buffer("abcd"), separator: UInt8(ascii: ","))
        #expect(out.text == ">bcd,a,")
    }

    @Test func `each number of a location is a member, however many digits it needs`() {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
        for (place, field) in Location.Field.allCases.enumerated() {
            location[field] = field.row.isCount ? Double(place) : [0.25, 1.0 / 3, 1e-12, 1234.5678, 1e9 / 7][place % 5]
        }
        var expected = buffer("{\"a\":1")
        for field in Location.Field.allCases { expected.member(field.row.name, location[field]) }
        var members = NumberMembers(out: buffer("{\"a\":1"))
        location.visitFields(&members) { _ in }
        #expect(members.out.text == expected.text)
    }
}

/// The numbers of a location as members.
private struct NumberMembers: LocationFieldVisitor {
    var out: TextBuffer

    var wantsAbsent: Bool { false }
    mutating func numbers(_ fields: UInt64, known: UInt64, _ values: Span<Double>) {
        out.members(fields & known, of: values)
    }
    func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {}
    func time(_ name: StaticString, _ value: Timestamp?) {}
    func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {}
    func count(_ name: StaticString, _ value: Int?) {}
    func word(_ name: StaticString, _ value: String?) {}
    func mark(_ name: StaticString, _ value: Bool) {}
}

import LocationCore
import GPSDProtocol
import Testing

@Suite struct JSONEdgeCasesTests {
    @Test func `the class may be anywhere in the object`() throws {
        let report = try tpv(#"{"mode":3,"lat":1.5,"x":{"class":"SKY"},"class":"TPV","lon":2.5}"#)
        #expect((report.mode, report.lat, report.lon) == (3, 1.5, 2.5))
    }

    @Test func `the last of several classes counts`() throws {
        #expect(try sky(#"{"class":"TPV","mode":3,"class":"SKY","hdop":1.5}"#).dilution.horizontal == 1.5)
        #expect(try tpv(#"{"class":"TPV","mode":3,"class":"TPV"}"#).mode == 3)
        #expect(try decode(#"{"class":"TPV","class":"AIS"}"#) == .other(class: "AIS"))
        #expect(throws: ReportError(.noClass, offset: 0)) { try decode(#"{"class":"TPV","class":1}"#) }
    }

    @Test func `the last of several equal keys counts`() throws {
        #expect(try tpv(#"{"class":"TPV","lat":1.5,"lat":2.5}"#).lat == 2.5)
        #expect(try tpv(#"{"class":"TPV","lat":1.5,"lat":null}"#).lat == nil)
        #expect(
            try sky(#"{"class":"SKY","satellites":[{"PRN":1,"x":1}],"satellites":[{"PRN":2}]}"#).satellites?.count == 1)
        #expect(try tpv(#"{"class":"TPV","lat":"x","lat":2.5,"y":1,"y":null}"#).lat == 2.5)
        #expect(try tpv(#"{"class":"TPV","lat":2.5,"lat":"x"}"#).lat == nil)
    }

    @Test func `white space is allowed between any two tokens`() throws {
        let spaced =
            " \t{ \"class\"\r\n: \"SKY\" , \"hdop\" :\t1.5 , \"satellites\" : [ { \"PRN\" : 1 , \"used\" : true } , { } ] } \r\n"
        var expected = SKYReport()
        expected.dilution.horizontal = 1.5
        expected.satellites = [Satellite(prn: 1, isUsed: true), Satellite()]
        #expect(try sky(spaced) == expected)
    }

    @Test(
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83d\ude80!""#, "🚀!"),
            (#""\ud83d""#, "\u{FFFD}"),
            (#""\ude80x""#, "\u{FFFD}x"),
            (#""\ud83d\u0041""#, "\u{FFFD}A"),
            (#""\ud83d\n""#, "\u{FFFD}\n"),
            (#""é€🚀""#, "é€🚀"),
            (#""""#, ""),
            (#""\u0000""#, "\u{0}"),
        ])
    func `escapes in strings are decoded`(text: String, expected: String) throws {
        #expect(try tpv(#"{"class":"TPV","datum":\#(text)}"#).datum == expected)
        #expect(try tpv(#"{"class":"TPV","device":\#(text),"mode":2}"#).device == expected)
    }

    @Test func `a key with escapes equals the key without them`() throws {
        let report = try tpv(#"{"\u0063lass":"TP\u0056","l\u0061t":1.5,"\u0078":1}"#)
        #expect(report.lat == 1.5)
    }

    @Test func `a zero at the end of a key or a class belongs to it`() throws {
        #expect(try tpv(#"{"class":"TPV","lat\u0000":1.5}"#).lat == nil)
        #expect(try decode(#"{"class":"TPV\u0000"}"#) == .other(class: "TPV\u{0}"))
        #expect(try tpv(#"{"class":"TPV","class\u0000":"SKY","mode":3}"#).mode == 3)
        #expect(throws: ReportError(.badString, offset: 19)) { try decode("{\"class\":\"TPV\",\"lat\u{0}\":1}") }
        #expect(throws: ReportError(.badString, offset: 13)) { try decode("{\"class\":\"TPV\u{0}\"}") }
    }

    @Test func `invalid UTF-8 in a name is replaced and the report is kept`() throws {
        var line = Array(#"{"class":"TPV","device":"/dev/?","mode":3}"#.utf8)
        line[30] = 0xE9
        var decoder = ReportDecoder()
        guard case .tpv(let report) = try decoder.decode(line) else { throw UnexpectedClass(line: "") }
        #expect((report.device, report.mode) == ("/dev/\u{FFFD}", 3))
    }

    @Test(
        arguments: [
            #""lat":"45""#, #""lat":true"#, #""lat":[1, 2]"#, #""lat":{"a":"}"}"#, #""mode":"3""#, #""mode":2.5"#,
            #""device":5"#, #""status":2147483648"#, #""status":-2147483648"#, #""jam":9223372036854775808"#,
            #""time":1795165019.5"#, #""time":"noon""#, #""a key longer than sixteen bytes":-0.0e-0"#, #""":false"#,
            #""lat":null,"mode":null,"time":null,"device":null,"x":null,"status":null"#,
            // Beyond the range of Double.
            #""lat":1e999"#, #""lat":-1e999"#, #""lat":1e99999999999999999999"#,
        ])
    func `a value of an unexpected type, null or too large counts as missing, and one under an unknown key is skipped`(
        member: String
    ) throws {
        var expected = TPVReport()
        expected[.horizontalAccuracy] = 1.5
        #expect(try tpv(#"{"class":"TPV",\#(member),"eph":1.5}"#) == expected)
    }

    @Test func `a list with anything but satellites counts as missing`() throws {
        let report = try sky(#"{"class":"SKY","satellites":[{"y":1},5],"nSat":1}"#)
        #expect(report.satellites == nil && report.nSat == 1)
    }

    @Test func `integers may be written with a point or an exponent`() throws {
        let report = try tpv(#"{"class":"TPV","mode":3.0,"status":2e0,"leapseconds":-0,"jam":1e2}"#)
        #expect((report.mode, report.status, report[.leapSeconds], report[.jamming]) == (3, 2, 0, 100))
    }

    @Test(
        arguments: [
            ("", .empty, 0), (" \r\n", .empty, 3), ("[1]", .notAnObject, 0), (" 5", .notAnObject, 1),
            ("TPV", .notAnObject, 0), ("{}", .noClass, 0), (#"{"mode":3}"#, .noClass, 0),
            (#"{"class":null}"#, .noClass, 0),
            ("{", .unexpectedEnd, 1), (#"{"class":"TPV""#, .unexpectedEnd, 14),
            (#"{"class":"TPV","#, .unexpectedEnd, 15),
            (#"{"class":"TPV","mode""#, .unexpectedEnd, 21), (#"{"class":"TPV","mode":"#, .unexpectedEnd, 22),
            (#"{"class":"TPV","mode":3"#, .unexpectedEnd, 23), (#"{"class":"TPV","datum":"x"#, .unexpectedEnd, 25),
            (#"{"class":"TPV","datum":"\"#, .unexpectedEnd, 25), (#"{"class":"TPV","datum":"\u00"#, .unexpectedEnd, 28),
            (#"{"class":"TPV","mode":3,}"#, .unexpectedByte, 24), (#"{"class":"TPV",,"mode":3}"#, .unexpectedByte, 15),
            (#"{"class":"TPV" "mode":3}"#, .unexpectedByte, 15), (#"{"class":"TPV","mode" 3}"#, .unexpectedByte, 22),
            (#"{"class":"TPV",mode:3}"#, .unexpectedByte, 15), (#"{,"class":"TPV"}"#, .unexpectedByte, 1),
            (#"{"class":"TPV","mode":03}"#, .badNumber, 23), (#"{"class":"TPV","lat":01.5}"#, .badNumber, 22),
            (#"{"class":"TPV","lat":1.}"#, .badNumber, 23), (#"{"class":"TPV","lat":-}"#, .badNumber, 22),
            (#"{"class":"TPV","lat":1e}"#, .badNumber, 23), (#"{"class":"TPV","lat":1.5e+}"#, .badNumber, 26),
            (#"{"class":"TPV","lat":.5}"#, .unexpectedByte, 21), (#"{"class":"TPV","lat":+1}"#, .unexpectedByte, 21),
            (#"{"class":"TPV","lat":NaN}"#, .unexpectedByte, 21), (#"{"class":"TPV","lat":-Infinity}"#, .badNumber, 22),
            (#"{"class":"TPV","lat":1.5.5}"#, .unexpectedByte, 24), (#"{"class":"TPV","lat":1x}"#, .unexpectedByte, 22),
            (#"{"class":"TPV","lat":nul}"#, .unexpectedByte, 24),
            (#"{"class":"WATCH","enable":truth}"#, .unexpectedByte, 29),
            (#"{"class":"WATCH","enable":truex}"#, .unexpectedByte, 30),
            (#"{"class":"TPV","datum":"\x"}"#, .badEscape, 25), (#"{"class":"TPV","datum":"\u00g0"}"#, .badEscape, 28),
            ("{\"class\":\"TPV\",\"datum\":\"a\tb\"}", .badString, 25),
            ("{\"class\":\"TPV\",\"a\nb\":1}", .badString, 17),
            (#"{"class":"TPV"}x"#, .trailingBytes, 15), (#"{"class":"TPV"}{"class":"SKY"}"#, .trailingBytes, 15),
            ("{\"class\":\"TPV\"}\u{0}", .trailingBytes, 15), ("{\"class\":\"TPV\"\u{0}}", .unexpectedByte, 14),
            (#"{"class":"SKY","satellites":[{"PRN":1},]}"#, .unexpectedByte, 39),
            (#"{"class":"SKY","satellites":[{"PRN":1}"#, .unexpectedEnd, 38),
            (#"{"class":"SKY","satellites":[{"PRN":1}}"#, .unexpectedByte, 38),
            (#"{"class":"DEVICES","devices":[{"path":"x"}"#, .unexpectedEnd, 42),
            (#"{"class":"DEVICES","devices":[{"path":"x"},]}"#, .unexpectedByte, 43),
            (#"{"class":"AIS","x":[1,2}"#, .unexpectedByte, 23), (#"{"class":"AIS","x":{"a"}}"#, .unexpectedByte, 23),
            (#"{"x":[1],"class":"TPV""#, .unexpectedEnd, 22),
            // gpsd 3.22 omits this comma.
            (#"{"class":"AIS","status_text":"x" "accuracy":true}"#, .unexpectedByte, 33),
        ] as [(String, ReportError.Fault, Int)])
    func `a malformed line gives an error at the offending byte`(line: String, kind: ReportError.Fault, offset: Int) {
        #expect(throws: ReportError(kind, offset: offset)) { try decode(line) }
    }

    @Test func `each kind of error has its own description`() {
        #expect("\(ReportError(.badNumber, offset: 7))" == "a malformed number at byte 7")
        let kinds: [ReportError.Fault] = [
            .empty, .notAnObject, .noClass, .unexpectedByte, .unexpectedEnd, .badNumber, .badString, .badEscape,
            .tooDeep, .trailingBytes,
        ]
        #expect(Set(kinds.map { ReportError($0, offset: 0).description }).count == kinds.count)
    }

    @Test func `nesting is skipped to a depth of 1,024 and rejected beyond`() throws {
        func nested(_ depth: Int) -> String {
            #"{"class":"TPV","x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                + #","mode":3}"#
        }
        #expect(try tpv(nested(1024)).mode == 3)
        #expect(throws: ReportError(.tooDeep, offset: 19 + 1024)) { try decode(nested(1025)) }
        #expect(throws: ReportError(.tooDeep, offset: 19 + 1024)) {
            try decode(#"{"class":"TPV","x":"# + String(repeating: "[", count: 1_000_000))
        }
        let objects = String(repeating: #"{"a":"#, count: 1000) + "[]" + String(repeating: "}", count: 1000)
        #expect(try tpv(#"{"class":"TPV","x":\#(objects),"mode":3}"#).mode == 3)
    }

    @Test(
        arguments: [
            ("2026-11-20T08:56:59.123Z", 1_795_165_019_123_000_000),
            ("2026-11-20T23:59:59.999Z", 1_795_219_199_999_000_000),
            ("2026-11-20T00:00:00Z", 1_795_132_800_000_000_000), ("1969-12-31T23:59:59.500Z", -500_000_000),
            ("2016-12-31T23:59:60.000Z", 1_483_228_799_999_000_000),
            ("2026-11-20T08:56:59.123456789Z", 1_795_165_019_123_456_789),
            ("2026-11-20T24:00:00.000Z", nil), ("2026-11-20T08:60:00.000Z", nil), ("2026-11-20T08:56:5:.123Z", nil),
            ("2026-11-20T08:56:59.12xZ", nil), ("2026-11-20T08-56:59.123Z", nil), ("2026-13-20T08:56:59.123Z", nil),
            ("9999-01-01T00:00:00.000Z", nil), ("", nil), ("0000-00-00T00:00:00.000Z", nil),
            ("2026-11-20T10:00:61.000Z", nil), ("2026-11-20T1/:00:00.000Z", nil), ("2023-02-29T10:00:00.000Z", nil),
            ("2024-02-29T10:00:00.000Z", 1_709_200_800_000_000_000),
            ("1678-01-01T00:00:00Z", -9_214_560_000_000_000_000),
        ] as [(String, Int64?)])
    func `a time is decoded the same with and without its date in the cache`(text: String, nanoseconds: Int64?) throws {
        let line = #"{"class":"TPV","time":"\#(text)","mode":1}"#
        var decoder = ReportDecoder()
        for date in ["2026-11-20", "1969-12-31", "2016-12-31", String(text.prefix(10))] {
            _ = try decoder.decode(#"{"class":"TPV","time":"\#(date)T01:02:03.004Z"}"#)
            guard case .tpv(let report) = try decoder.decode(line) else { throw UnexpectedClass(line: line) }
            #expect(report.time?.nanosecondsSince1970 == nanoseconds)
            #expect(report.mode == 1)
        }
    }

    @Test func `the next line does not overwrite satellites that are still referenced`() throws {
        var decoder = ReportDecoder()
        var held: [GPSDReport] = []
        for number in 1...4 { held.append(try decoder.decode(#"{"class":"SKY","satellites":[{"PRN":\#(number)}]}"#)) }
        let numbers = held.map { report in
            if case .sky(let sky) = report { sky.satellites?.map(\.prn) } else { [Int?]?.none }
        }
        #expect(numbers == [[1], [2], [3], [4]])
    }
}

extension Result where Success == GPSDReport {
    /// The report, or `nil` for an error.
    var report: GPSDReport? { try? get() }
}

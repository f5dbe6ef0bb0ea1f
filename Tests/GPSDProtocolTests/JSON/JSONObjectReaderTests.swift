import GPSDProtocol
import LocationCore
import Testing

@Suite struct JSONObjectReaderTests {
    private func members(_ text: String) throws(ReportError) -> [String] {
        var reader = JSONObjectReader()
        return try members(Array(text.utf8), &reader)
    }

    private func members(_ bytes: [UInt8], _ reader: inout JSONObjectReader) throws(ReportError) -> [String] {
        var members: [String] = []
        try bytes.withUnsafeBufferPointer { (bytes) throws(ReportError) in
            try reader.read(UnsafeRawBufferPointer(bytes)) { members.append("\($0) \($1)") }
        }
        return members
    }

    @Test func `members of every type are read in order`() throws {
        #expect(
            try members(#" { "a" : 1.5 , "b":"x\u00e9\n" ,"c":true,"d":false,"e":null,"f":[1,{"g":2}],"h":{} } "#) == [
                "a number(1.5)", #"b text("xé\n")"#, "c flag(true)", "d flag(false)", "e null", "f nested", "h nested",
            ])
        #expect(try members("{}") == [])
    }

    @Test func `equal keys and a number beyond the range are passed on`() throws {
        #expect(try members(#"{"a":1,"a":2,"b":1e999}"#) == ["a number(1.0)", "a number(2.0)", "b number(inf)"])
        #expect(JSONValue.number(.infinity).number == nil)
    }

    /// The scanner of the numbers, texts and words is that of the reports.
    @Test(arguments: [
        "", " ", "{", "}", "[]", "1", "null", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a":1}x"#, #"{a:1}"#,
        #"{"a":01}"#, #"{"a":truex}"#, #"{"a":"x}"#, #"{"a":[1}"#, #"{"a":1}{"b":2}"#, "{\"a\":1}\0", #"{,"a":1}"#,
    ])
    func `anything else is an error`(text: String) {
        #expect(throws: ReportError.self) { _ = try members(text) }
    }

    @Test func `an object that is cut off anywhere is an error and never a trap`() {
        let text = Array(#"{"_type":"location","lat":45.5,"lon":-7e0,"f":[true,{"é":"\ud83d\ude00"}],"n":null}"#.utf8)
        var reader = JSONObjectReader()
        for length in 0..<text.count {
            #expect(throws: ReportError.self) { _ = try members(Array(text[..<length]), &reader) }
        }
    }

    @Test func `a deeply nested value is an error, and a long message does not keep its memory`() throws {
        let deep = "{\"a\":" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"
        #expect(throws: ReportError.self) { _ = try members(deep) }
        var reader = JSONObjectReader()
        let long = Array(("{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}").utf8)
        #expect(try members(long, &reader).count == 1)
        #expect(try members(Array(#"{"a":1}"#.utf8), &reader) == ["a number(1.0)"])
    }
}

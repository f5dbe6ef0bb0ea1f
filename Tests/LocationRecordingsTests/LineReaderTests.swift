import LocationRecordings
import LocationCore
import Testing

@Suite struct LineReaderTests {
    enum Piece: Hashable { case line(String), tooLong(Int) }

    /// Returns the output of a reader for a stream in chunks.
    func pieces(_ chunks: [[UInt8]], limit: Int = 65_536) -> [Piece] {
        var reader = LineReader(limit: limit)
        return pieces(chunks, from: &reader)
    }

    private func pieces(_ chunks: [[UInt8]], from reader: inout LineReader) -> [Piece] {
        var pieces: [Piece] = []
        func process(_ line: LineReader.Line) {
            switch line {
            case .line(let bytes): pieces.append(.line(String(decoding: bytes, as: UTF8.self)))
            case .tooLong(let bytes): pieces.append(.tooLong(bytes))
            }
        }
        for chunk in chunks { chunk.withUnsafeBytes { reader.feed($0, process) } }
        reader.finish(process)
        return pieces
    }

    func pieces(_ text: String, limit: Int = 65_536) -> [Piece] { pieces([Array(text.utf8)], limit: limit) }

    @Test(
        arguments: [
            ("", []), ("a", [.line("a")]), ("a\n", [.line("a")]), ("a\r\n", [.line("a")]), ("\n", [.line("")]),
            ("\r\n\n", [.line(""), .line("")]), ("a\nb", [.line("a"), .line("b")]), ("a\rb\r\r\n", [.line("a\rb\r")]),
            ("a\r", [.line("a")]),
        ] as [(String, [Piece])])
    func `a line ends with a newline, CR and newline, or the end of the stream`(text: String, expected: [Piece]) {
        #expect(pieces(text) == expected)
    }

    @Test func `a line of the limit is returned, a longer one is reported, and reading continues`() {
        #expect(pieces("12345678\r\n123456789\nab\n", limit: 8) == [.line("12345678"), .tooLong(9), .line("ab")])
        #expect(pieces("123456789\r\nab\n", limit: 8) == [.tooLong(10), .line("ab")])
        #expect(pieces("123456789012", limit: 8) == [.tooLong(12)])
    }

    @Test func `a newline is found at every offset of a long chunk`() {
        for place in 0..<200 {
            var bytes = [UInt8](repeating: 0x8A, count: 200)
            bytes[place] = 0x0A
            let counts = place < 199 ? [place, 199 - place] : [place]
            #expect(pieces([bytes]) == counts.map { .line(String(repeating: "\u{FFFD}", count: $0)) })
        }
    }

    @Test func `the reader rethrows an error of the body and remains usable`() {
        struct Full: Error {}
        var reader = LineReader()
        #expect(throws: Full.self) {
            try Array("a\nb\nc".utf8).withUnsafeBytes { try reader.feed($0) { _ in throw Full() } }
        }
        var lines = 0
        Array("d\n".utf8).withUnsafeBytes { reader.feed($0) { _ in lines += 1 } }
        #expect(lines == 1)
    }

    @Test func `finish resets the reader for another stream`() {
        var reader = LineReader(limit: 4)
        let found = ["toolong", "ab", ""].map { pieces([Array($0.utf8)], from: &reader) }
        #expect(found == [[.tooLong(7)], [.line("ab")], []])
    }
}

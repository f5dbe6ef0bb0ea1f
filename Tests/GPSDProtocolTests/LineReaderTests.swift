import GPSDProtocol
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
        for chunk in chunks {
            chunk.withUnsafeBytes { chunk in
                var place = 0
                while let line = reader.next(in: chunk, from: &place) { process(line) }
            }
        }
        if let line = reader.last() { process(line) }
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

    @Test func `a chunk of which no more lines are taken leaves nothing behind`() {
        var reader = LineReader()
        Array("a\nb\nc".utf8).withUnsafeBytes { chunk in
            var place = 0
            let line = reader.next(in: chunk, from: &place)
            #expect(line != nil && place == 2)
        }
        #expect(pieces([Array("d\n".utf8)], from: &reader) == [.line("d")])
    }

    @Test func `a line in many pieces has all its bytes, up to the limit`() {
        for count in [2, 15, 16, 17, 1000, 4095, 4096] {
            let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
            let chunks = (text + "\r\n").utf8.map { [$0] }
            #expect(pieces(chunks, limit: 4096) == [.line(text)])
            #expect(pieces(chunks, limit: count - 1) == [.tooLong(count + 1)])
        }
    }

    @Test func `finish resets the reader for another stream`() {
        var reader = LineReader(limit: 4)
        let found = ["toolong", "ab", ""].map { pieces([Array($0.utf8)], from: &reader) }
        #expect(found == [[.tooLong(7)], [.line("ab")], []])
    }
}

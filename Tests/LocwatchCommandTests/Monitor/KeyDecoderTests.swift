import TestSupport
import Testing

@testable import LocwatchCommand

@Suite struct KeyDecoderTests {
    @Test(arguments: [
        ("q", [Key.character("q")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA\u{1B}OD", [.up, .left]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}[Z", [.backTab]),
        ("é€😀", [.character("é"), .character("€"), .character("😀")]),
        ("\u{1B}[15~", []), ("\u{1B}[[A", []), ("\u{1B}x", []), ("\u{1B}[?1;2c", []),
        ("\u{1B}]11;rgb:0/0/0\u{7}q", [.character("q")]),
        ("\u{1B}P1$r0m\u{1B}\\q", [.character("q")]), ("\u{1B}[<0;1;1Mq", [.enter, .character("q")]),
        ("\u{3}\u{1}", []),
    ])
    func `sequences are keys, also in pieces, and unknown ones are dropped as a whole`(text: String, keys: [Key]) {
        var (decoder, other) = (KeyDecoder(), KeyDecoder())
        #expect(decoder.keys(in: text.utf8) == keys)
        #expect(text.utf8.flatMap { other.keys(in: [$0]) } == keys)
    }

    @Test func `a lone escape character is a key after a while`() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(in: [0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.expire() == .escape)
        #expect(decoder.expire() == nil)
        #expect(decoder.keys(in: [0x1B, 0x1B]) == [.escape])
    }

    @Test func `a sequence without an end takes no memory`() {
        var decoder = KeyDecoder()
        let keys = decoder.keys(in: [0x1B, 0x5B] + Array(repeating: 0x31, count: 100_000) + Array("Aq".utf8))
        #expect(keys == [.character("q")])
    }
}

import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchTerminal

@Suite struct EscapedTextTests {
    @Test(arguments: [
        ("/dev/ttyACM0", "/dev/ttyACM0"), ("a\u{1B}[31mb", "a\\x1b[31mb"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("a\u{7F}", "a\\x7f"), ("a\u{9B}31m", "a\\u{9b}31m"), ("a\u{202E}b", "a\\u{202e}b"), ("Zürich 東", "Zürich 東"),
        ("\u{0}", "\\x00"), ("\u{2028}", "\\u{2028}"), ("🛰", "🛰"),
    ])
    func `hidden characters become visible escapes`(text: String, shown: String) {
        #expect(text.printable == shown)
    }

    @Test func `every Unicode scalar in a JSON string reads back unchanged`() throws {
        let text = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init))) + "🛰\"\\"
        let json = TextBuffer.text { $0.put(jsonString: text) }
        let read = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
        #expect(read == text)
        #expect(!json.unicodeScalars.contains(where: VisibleText.isHidden))
    }
}

@Suite struct SpellingTests {
    private static let words = ["watch", "once", "record", "export", "stats", "devices", "doctor", "serve", "zsh"]

    @Test(arguments: [
        ("wach", "watch"), ("recrod", "record"), ("device", "devices"), ("dcotor", "doctor"), ("ONCE", "once"),
        ("stat", "stats"), ("localhost", nil), ("pi", nil), ("x", nil), ("", nil),
        ("zhs", "zsh"), ("zssh", "zsh"), ("ksh", nil), ("zs", "zsh"), ("state", "stats"), ("one", "once"),
        ("tests", nil), ("nice", nil),
    ])
    func `a misspelled word finds the nearest known one`(word: String, meant: String?) {
        #expect(Spelling.nearest(to: word, among: SpellingTests.words) == meant)
    }

    @Test func `a word of megabytes is not compared letter by letter`() {
        let start = clock()
        #expect(Spelling.nearest(to: String(repeating: "x", count: 2_000_000), among: SpellingTests.words) == nil)
        // The comparison takes minutes of processor time.
        #expect(clock() - start < 20_000_000)
    }
}

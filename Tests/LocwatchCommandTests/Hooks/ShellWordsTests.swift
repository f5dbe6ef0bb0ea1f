import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments

@Suite(.serialized, .withFew) struct ShellWordsTests {
    @Test(
        arguments: [
            ("", []), ("  \t\n ", []), ("a", ["a"]), (" a  b\tc\nd ", ["a", "b", "c", "d"]),
            ("'a b' \"c d\"", ["a b", "c d"]), ("''", [""]), ("a '' b", ["a", "", "b"]), ("a\"\"b", ["ab"]),
            (#"a\ b"#, ["a b"]), (#"\'"#, ["'"]), (#"'\'"#, ["\\"]), (#""\"\\\$\`""#, ["\"\\$`"]),
            (#""\a\ ""#, ["\\a\\ "]), ("a\\\nb", ["ab"]), ("\"a\\\nb\"", ["ab"]), ("'a\\\nb'", ["a\\\nb"]),
            ("\\\n", []), ("x'y'\"z\"w", ["xyzw"]), ("'a\nb'", ["a\nb"]),
            // Nothing is expanded.
            ("$HOME `id` $(reboot) ~ * ? [a] {a,b}", ["$HOME", "`id`", "$(reboot)", "~", "*", "?", "[a]", "{a,b}"]),
            ("a;rm -rf / | b && c > d # e", ["a;rm", "-rf", "/", "|", "b", "&&", "c", ">", "d", "#", "e"]),
            (#""$(reboot)" '`x`'"#, ["$(reboot)", "`x`"]),
            // A combining character after a quotation mark belongs to the word.
            ("'\u{301}a b'", ["\u{301}a b"]), ("\u{A0}a\u{2003}b", ["\u{A0}a\u{2003}b"]), ("a\r\nb", ["a\r", "b"]),
        ] as [(String, [String])])
    func `words are separated and quoted as in a shell, and nothing is expanded`(text: String, words: [String]) throws {
        #expect(ShellWords.split(text) == words)
    }

    @Test(arguments: ["'", "a 'b", "\"a", #""\""#, #""a\"#, #"a\"#, "a\u{0}b", "'a\u{0}b'", "\"\u{0}\"", "\\\u{0}"])
    func `an incomplete quotation and a zero byte give no words`(text: String) {
        #expect(ShellWords.split(text) == nil)
    }

    @Test func `a shell separates the same words`() throws {
        let pieces = ["a", " ", "\t", "'", "\"", "\\", "\n", "b c", "''", "é", "x\\ y", "-"]
        var random = SplitMix64(seed: 21)
        var compared: [(text: String, words: [String])] = []
        while compared.count < 200 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement() ?? "" }.joined()
            // The first word is a command, and a new line outside of quotation marks ends it.
            guard !text.contains("\n"), let words = ShellWords.split(text) else { continue }
            compared.append((text, words))
        }
        let script = compared.map { "printf '<%s>' first \($0.text); echo" }.joined(separator: "\n")
        let lines = try Tool("/bin/sh", ["-c", script]).output.split(separator: "\n")
        try #require(lines.count == compared.count)
        for ((text, words), line) in zip(compared, lines) {
            #expect(line == (["first"] + words).map { "<\($0)>" }.joined(), "\(text)")
        }
    }
}

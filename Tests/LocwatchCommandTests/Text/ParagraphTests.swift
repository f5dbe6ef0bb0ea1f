import Testing

@testable import LocwatchTerminal

/// Messages that are wrapped to the width of a terminal.
struct ParagraphTests {
    @Test(arguments: [12, 20, 30, 40, 60, 80, 200])
    func `a name that is longer than a line is broken, and keeps its characters`(width: Int) {
        let text = "locwatch: run 'locwatch stats /opt/some/Fixtures/no-device/session.json' to see what it has"
        let lines = Paragraph.wrapped(text, indent: 10, width: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let words = lines.map { String($0.drop { $0 == " " }) }.joined()
        #expect(words.filter { $0 != " " } == text.filter { $0 != " " })
        let name = "/opt/some/Fixtures/no-device/session.json'"
        let pieces = lines.map { $0.drop { $0 == " " } }
        #expect(pieces.joined().contains(name), "\(lines)")
    }

    @Test func `the lines after the first one are indented, and fill their room`() {
        let text = "locwatch: abcdefghijklmnopqrstuvwxyz0123456789 to"
        #expect(
            Paragraph.wrapped(text, indent: 10, width: 30).split(separator: "\n") == [
                "locwatch:", "          abcdefghijklmnopqrst", "          uvwxyz0123456789 to",
            ])
    }
}

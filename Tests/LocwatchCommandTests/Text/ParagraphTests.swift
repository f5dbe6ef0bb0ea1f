import TestSupport
import Testing

@testable import LocwatchTerminal

/// Messages that are wrapped to the width of a terminal.
@Suite struct ParagraphTests {
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
        let lines = Paragraph.wrapped(text, indent: 10, width: 30).split(separator: "\n")
        #expect(lines == ["locwatch:", "          abcdefghijklmnopqrst", "          uvwxyz0123456789 to"])
        #expect(Paragraph.lines("ab 一二三四", width: 5) == ["ab", "一二", "三四"])
    }

    @Test(arguments: 30...70)
    func `no line of figures ends between a number and its unit`(width: Int) {
        let text = "290 comparisons, from 3.21 ms ahead to 6.95 ms ahead; 90 % within 3.39 ms and 12 ns, at 1.5e-6 s"
        let lines = Paragraph.figures(text, indent: 14, width: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.last?.isNumber == false && $0.count <= width }, "\(lines)")
        #expect(lines.map { $0.drop { $0 == " " } }.joined(separator: " ") == text)
    }
}

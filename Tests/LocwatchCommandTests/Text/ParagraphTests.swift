import LocwatchTerminal
import Testing

@Suite struct ParagraphTests {
    @Test(arguments: 30...70) func `no line of figures ends between a number and its unit`(width: Int) {
        let text = "290 comparisons, from 3.21 ms ahead to 6.95 ms ahead; 90 % within 3.39 ms and 12 ns, at 1.5e-6 s"
        let lines = Paragraph.figures(text, indent: 14, width: width).split(separator: "\n")
        #expect(lines.allSatisfy { $0.last?.isNumber == false && $0.count <= width }, "\(lines)")
        #expect(lines.map { $0.drop { $0 == " " } }.joined(separator: " ") == text)
    }
}

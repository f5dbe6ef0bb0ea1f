import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct LogEndMarksTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 1000])
    func `a line at which gpsd would close a log becomes a comment, also in pieces`(piece: Int) {
        let text = "# E#\n# EOF\n$GPGGA,# EO\n## EOF\n#EOF\n# EOF"
        var marks = LogEndMarks()
        let changed = Array(text.utf8).pieces(of: piece).flatMap { piece -> [UInt8] in
            var bytes = Array(piece)
            marks.change(in: &bytes)
            return bytes
        }
        #expect(String(decoding: changed, as: UTF8.self) == "# E#\n# EOf\n$GPGGA,# EO\n## EOf\n#EOF\n# EOf")
    }
}

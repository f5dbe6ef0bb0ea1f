import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Tables whose lines are written one by one.
@Suite struct TextTableTests {
    private func lines(_ rows: [[String]], columns: Int = 80) -> [String] {
        var table = TextTable(
            headers: ["NAME", "SPEED", "STATE"], dispensable: ["SPEED"], shortened: ["NAME"],
            style: TextStyle(columns: columns))
        var out = TextBuffer()
        for row in rows {
            table.append(row, nil)
            table.write(into: &out)
        }
        return out.text.split(separator: "\n").map(String.init)
    }

    @Test func `every line stands below a header with its columns, also if it is wider than those before`() {
        let lines = lines([["a", "-", "idle"], ["b", "9600", "idle"], ["/dev/ttyACM0", "38400 8N1", "reporting"]])
        #expect(
            lines == [
                "NAME  SPEED  STATE", "a     -      idle", "b     9600   idle",
                "NAME          SPEED      STATE", "/dev/ttyACM0  38400 8N1  reporting",
            ])
    }

    @Test func `wide characters and marks do not shift the columns`() {
        let names = ["受信機", "car", "🚗 van", "e\u{301}te\u{301}", "Boot"]
        let rows = lines(names.map { [$0, "9600", "idle"] }).filter { !$0.hasPrefix("NAME") }
        #expect(rows.map { DisplayWidth.of($0.components(separatedBy: "9600")[0]) } == names.map { _ in 8 }, "\(rows)")
        let narrow = lines([["東京の受信機の長い長い長い名前", "-", "reporting"]], columns: 30)
        #expect(narrow.allSatisfy { DisplayWidth.of($0) <= 30 } && narrow.last?.contains("…") == true, "\(narrow)")
    }

    @Test(arguments: [
        ("受信機名", 7, "受…機名"), ("受信機名", 6, "受…名"), ("受信機名", 3, "…名"), ("受信機名", 20, "受信機名"),
        ("short", 8, "short"), ("/dev/ttyACM0", 8, "/de…ACM0"), ("abcdef", 2, "ab"), ("abc", 0, ""),
    ])
    func `a name is shortened in the middle, to columns and not to characters`(
        name: String, columns: Int, shown: String
    ) {
        #expect(ShortenedText.middle(name, to: columns, .utf8) == shown)
        #expect(DisplayWidth.of(ShortenedText.receiver("fleet/\(name)", to: columns, .utf8)) <= columns)
    }

    @Test(arguments: 8...60)
    func `a column that must not be shortened is omitted if shortening another is not enough`(columns: Int) {
        var table = TextTable(
            headers: ["NAME", "AGE", "POSITION", "STATE"], dispensable: [], shortened: ["NAME"],
            sacrificed: ["AGE", "POSITION"], style: TextStyle(columns: columns))
        table.append(["fleet/device", "1 min", "45.0703000  7.6869000", "idle"], nil)
        let lines = TextBuffer.text { table.write(into: &$0) }.split(separator: "\n")
        // The name and the state need 8, 2 and 5 columns.
        #expect(lines.allSatisfy { $0.count <= max(columns, 15) && $0.split(separator: "  ").count >= 2 }, "\(lines)")
        #expect(lines[1].contains(".") == (columns >= 38), "\(lines)")
        #expect(lines[1].contains("45.0703000  7.6869000") == (columns >= 38), "\(lines)")
        #expect(lines[1].contains("min") == (columns >= 45), "\(lines)")
        #expect(
            lines[1].contains("fleet/device") == (columns >= 49 || 19..<38 ~= columns || 42..<45 ~= columns), "\(lines)"
        )
    }

    @Test func `a column that no longer fits disappears from the header too`() {
        let lines = lines([["a", "-", "idle"], ["/dev/ttyACM0", "38400 8N1", "reporting"]], columns: 30)
        #expect(lines == ["NAME  SPEED  STATE", "a     -      idle", "NAME          STATE", "/dev/ttyACM0  reporting"])
    }
}

import LocationCore
import Testing

@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Tables whose lines are written one by one.
struct TextTableTests {
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
            lines
                == [
                    "NAME  SPEED  STATE", "a     -      idle", "b     9600   idle",
                    "NAME          SPEED      STATE    ", "/dev/ttyACM0  38400 8N1  reporting",
                ].map { $0.trimmingSpaces() })
    }

    @Test func `a column that no longer fits disappears from the header too`() {
        let lines = lines([["a", "-", "idle"], ["/dev/ttyACM0", "38400 8N1", "reporting"]], columns: 30)
        #expect(lines == ["NAME  SPEED  STATE", "a     -      idle", "NAME          STATE", "/dev/ttyACM0  reporting"])
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

struct LivePageTests {
    @Test func `a page replaces the one before`() {
        var page = LivePage(columns: 80, rows: 24)
        #expect(page.show("a\nb\n") == "a\nb\n")
        #expect(page.show("c\n") == "\u{1B}[2A\r\u{1B}[Jc\n")
        #expect(page.wipe() == "\u{1B}[1A\r\u{1B}[J")
        #expect(page.wipe() == "")
    }

    @Test func `lines and rows that do not fit the screen are cut`() {
        var page = LivePage(columns: 5, rows: 3)
        #expect(page.show("123456\n\u{1B}[2m12\u{1B}[0m3456\nthird\n") == "1234\n\u{1B}[2m12\u{1B}[0m34\n")
    }

    @Test(arguments: [
        (0, 0.0, 80, "[........................................] 0 %"),
        (50, 1.0, 80, "[####################....................] 50 %  0.0 MB/s  1 s left"),
        (100, 2.0, 80, "[########################################] 100 %  0.0 MB/s  0 s left"),
        (250, 2.0, 80, "[########################################] 100 %  0.0 MB/s  0 s left"),
        (50, 1.0, 20, "50 %  0.0 MB/s  1 s"), (50, 1.0, 0, ""),
    ])
    func `progress shows the share, the rate and the time left`(
        _ read: Int, _ seconds: Double, _ columns: Int, _ line: String
    ) {
        #expect(ReadingProgress.line(read: read, of: 100, after: .seconds(seconds), columns: columns) == line)
    }

    @Test func `the time left is computed from the rate so far`() {
        let line = ReadingProgress.line(
            read: 500_000_000, of: 2_000_000_000, after: .seconds(10), columns: 200)
        #expect(line.hasSuffix("] 25 %  50 MB/s  30 s left"))
    }
}

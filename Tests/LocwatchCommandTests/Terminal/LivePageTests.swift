import LocationCore
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite struct LivePageTests {
    @Test func `a page replaces the one before`() {
        var page = LivePage { (80, 24) }
        #expect(page.show("a\nb\n") == "a\nb\n")
        #expect(page.show("c\n") == "\u{1B}[2A\r\u{1B}[Kc\n\u{1B}[J")
        #expect(page.wipe() == "\u{1B}[1A\r\u{1B}[K\n\u{1B}[K\u{1B}[1A\r", "with the row of ^C")
        #expect(page.wipe() == "")
    }

    @Test func `a page that was stopped starts again where the shell has left the cursor`() {
        var turn: Int? = 0
        var page = LivePage(turn: { turn }, size: { (80, 24) })
        #expect(page.show("a\nb\n") == "a\nb\n")
        turn = 1
        #expect(page.show("c\n") == "c\n")
        #expect(page.show("d\n") == "\u{1B}[1A\r\u{1B}[Kd\n\u{1B}[J")
        turn = 2
        #expect(page.wipe() == "", "the rows above belong to the shell")
    }

    @Test func `a page in the background shows nothing, and erases nothing of another job`() throws {
        var turn: Int? = 0
        var page = LivePage(turn: { turn }, size: { (80, 24) })
        let output = OutputChannel(Console(output: -1, environment: [:]), .live)
        let moments = (0..<3).map { ScriptedSession.moment(Double($0)) }
        #expect(page.refresh(at: moments[0], now: moments[0], on: output) == moments[0])
        #expect(page.show("a\n") == "a\n")
        turn = nil
        #expect(page.refresh(at: moments[1], now: moments[1], on: output) == nil)
        #expect(page.show("stopped after the refresh became due\n") == "" && page.wipe() == "")
        turn = 0
        #expect(page.refresh(at: moments[2], now: moments[2], on: output) == moments[2])
        #expect(page.show("b\n") == "b\n")
    }

    @Test func `lines that do not fit the screen are cut, and rows are counted`() {
        var page = LivePage { (5, 4) }
        #expect(page.show("123456\n\u{1B}[2m12\u{1B}[0m3456\n3\n") == "12345\n\u{1B}[2m12\u{1B}[0m345\n3\n")
        var wide = LivePage { (5, 4) }
        #expect(wide.show("一二三4\n") == "一二\n")
        var low = LivePage { (80, 4) }
        #expect(low.show("1\n2\n3\n4\n") == "1\n2\n(2 more lines; enlarge the window)\n")
    }

    @Test func `a page follows the size of the screen, which wraps the lines when it becomes narrower`() {
        var columns = 10
        var page = LivePage { (columns, 24) }
        #expect(page.show("12345678\n1\n") == "12345678\n1\n")
        columns = 5
        #expect(page.show("123456\n") == "\u{1B}[3A\r\u{1B}[K12345\n\u{1B}[J")
        columns = 20
        #expect(page.show("12345678\n") == "\u{1B}[1A\r\u{1B}[K12345678\n\u{1B}[J")
    }

    @Test(arguments: [
        (0, 0, 80, "[........................................] 0 %"),
        (50_000_000, 1, 80, "[####################....................] 50 %  50 MB/s  1 s left"),
        (25_000_000, 10, 80, "[##########..............................] 25 %  2.5 MB/s  30 s left"),
        (100_000_000, 2, 80, "[########################################] 100 %  50 MB/s  0 s left"),
        (250_000_000, 2, 80, "[########################################] 100 %  125 MB/s  0 s left"),
        (50_000_000, 1, 19, "50 %  50 MB/s  1 s"), (50_000_000, 1, 0, ""),
    ])
    func `progress shows the share, the rate so far and the time that is left at it`(
        _ read: Int, _ seconds: Int, _ columns: Int, _ line: String
    ) {
        #expect(ReadingProgress.line(read: read, of: 100_000_000, after: .seconds(seconds), columns: columns) == line)
    }
}

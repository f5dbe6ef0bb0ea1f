import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand

/// The log of the monitor, and its scrolling.
@Suite(.serialized, .alone) struct MonitorLogTests {
    @Test func `a key scrolls no further than to the oldest line`() {
        let notes = (0..<6).map { MonitorSamples.update(.notice(.message("note \($0)")), at: Double($0)) }
        let state = MonitorSamples.state([MonitorSamples.status()] + notes, at: 6)
        let most = state.log.entries.count - 4
        var view = MonitorView()
        for _ in 0..<20 { #expect(view.process(.up, state, logRows: 4) == nil) }
        #expect(view.scrolled == most && most > 0)
        #expect(view.process(.down, state, logRows: 4) == nil)
        #expect(view.scrolled == most - 1)
    }
}

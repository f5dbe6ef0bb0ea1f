import Testing

@testable import LocwatchPlatform

struct MemoryPeakTests {
    @Test func `memory is returned once after each peak, when at most a quarter is left`() {
        var peak = MemoryPeak(least: 100)
        let returns = [50, 0, 99, 0, 400, 101, 100, 100, 0, 0].map { peak.note($0) }
        #expect(returns == [false, false, false, false, false, false, true, false, true, false])
    }
}

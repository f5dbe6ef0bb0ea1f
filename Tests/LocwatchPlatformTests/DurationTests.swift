import LocwatchPlatform
import Testing

@Suite struct DurationTests {
    @Test(
        arguments: [
            (.zero, 0), (Duration(attoseconds: 1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.milliseconds(-5), 0), (.seconds(3), 3000), (.milliseconds(9222), 9222),
            // More attoseconds than fit into 64 bits, which hold 9.2 s.
            (.milliseconds(9223), 9223), (.milliseconds(9224), 9224), (.microseconds(60_000_001), 60_001),
            (.seconds(1 << 40), Int32.max), (.seconds(-10), 0), (.seconds(Int64.max), Int32.max),
            (.seconds(Int64.min), 0),
        ] as [(Duration, Int32)])
    func `the milliseconds for poll are rounded up and clamped`(duration: Duration, milliseconds: Int32) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}

import LocationCore
import Testing

struct IntegerConversionTests {
    @Test(
        arguments: [
            (0, 0), (-0.0, 0), (1.9, 1), (-1.9, -1), (1e19, .max), (-1e19, .min), (.infinity, .max),
            (-.infinity, .min), (.nan, 0), (0x1p63, .max), (-0x1p63, .min), (0x1p62, 1 << 62),
        ] as [(Double, Int)])
    func `a number is truncated and clamped to an integer`(_ number: Double, _ integer: Int) {
        #expect(Int(clamping: number) == integer)
    }

    @Test(
        arguments: [(-1, 0), (-0.5, 0), (255, 255), (255.9, 255), (256, 255), (254.9, 254), (.nan, 0)]
            as [(Double, UInt8)])
    func `a number is clamped to the bounds of a small integer`(_ number: Double, _ integer: UInt8) {
        #expect(UInt8(clamping: number) == integer)
    }

    @Test func `the largest number below the bound is converted exactly`() {
        #expect(Int64(clamping: (0x1p63).nextDown) == 9_223_372_036_854_774_784)
        #expect(UInt64(clamping: (0x1p64).nextDown) == 18_446_744_073_709_549_568)
        #expect(UInt64(clamping: 0x1p64) == .max)
        #expect(Int32(clamping: 2_147_483_647.5) == .max)
    }

    @Test(
        arguments: [
            (-5, .zero), (.nan, .zero), (1.5, .milliseconds(1500)), (.infinity, .seconds(10_000_000_000)),
            (1e300, .seconds(10_000_000_000)),
        ] as [(Double, Duration)])
    func `seconds are clamped to a duration that cannot overflow`(_ seconds: Double, _ duration: Duration) {
        #expect(Duration(clampingSeconds: seconds) == duration)
    }

    @Test func `the difference of any two timestamps is exact`() {
        let (first, last) = (Timestamp(nanosecondsSince1970: .min), Timestamp(nanosecondsSince1970: .max))
        #expect(last.since(first) == .nanoseconds(Int64.max) * 2 + .nanoseconds(1))
        #expect(first.since(last) == .zero - last.since(first))
        #expect(ClockSample(.pulse, receiverTime: first, hostTime: last).offsetNanoseconds == .max, "clamped")
        #expect(ClockSample(.pulse, receiverTime: last, hostTime: first).offsetNanoseconds == .min, "clamped")
    }
}

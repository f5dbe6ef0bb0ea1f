import Testing

@testable import LocationCore

@Suite struct DurationSecondsTests {
    @Test(
        arguments: [
            .zero, .nanoseconds(1), .nanoseconds(-1), .milliseconds(100), .milliseconds(-100), .milliseconds(3300),
            .microseconds(1_234_567), .seconds(60), .seconds(86_400), .seconds(1_767_225_600.125), .seconds(1e10),
            .seconds(-1e10), Duration(secondsComponent: 18, attosecondsComponent: 446_744_073_709_551_615),
            Duration(secondsComponent: -18, attosecondsComponent: -446_744_073_709_551_616),
        ] as [Duration])
    func `the seconds of a duration are its quotient by one second`(duration: Duration) {
        #expect(duration.inSeconds == duration / .seconds(1))
    }

    @Test func `the seconds of a short time in microseconds are the nearest number`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<10_000 {
            let time = Int64.random(in: -36_000_000...36_000_000, using: &random)
            #expect(Duration.microseconds(time).inSeconds == Double(time) / 1e6)
        }
    }

    @Test func `whole nanoseconds are those of a division of 128 bits, for any length and sign`() {
        var random = SplitMix64(seed: 20_261_130)
        var durations: [Duration] = [.zero, .nanoseconds(-1), .seconds(Int64.max / 1_000_000_000), .seconds(1 << 40)]
        durations += [Duration(attoseconds: 500_000_000 << 64), Duration(attoseconds: (500_000_000 << 64) - 1)]
        for shift in 0..<120 { durations.append(Duration(attoseconds: (Int128(random.next()) << 58) >> shift)) }
        for duration in durations {
            for signed in [duration, .zero - duration] {
                #expect(signed.wholeNanoseconds == signed.attoseconds / 1_000_000_000)
                let (seconds, rest) = signed.components
                if rest % 1_000_000_000_000 != 0 { #expect(signed.inSeconds == Double(seconds) + Double(rest) / 1e18) }
            }
        }
    }
}

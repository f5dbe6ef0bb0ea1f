import LocationCore
import Testing

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
}

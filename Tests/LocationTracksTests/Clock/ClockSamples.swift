import LocationCore

@testable import LocationTracks

/// Comparisons of clocks for tests.
enum ClockSamples {
    /// The start of the comparisons: 2026-11-20T13:00:00Z.
    static let start: Int64 = 1_795_179_600_000_000_000

    /// Returns a comparison at a second since the start, whose host's clock is ahead by some nanoseconds.
    static func sample(
        _ source: ClockSample.Source = .pulse, second: Double, offset: Int64, device: String? = "/dev/ttyS0",
        quantizationError: Int? = nil
    ) -> ClockSample {
        let time = start + Int64(second * 1e9)
        return ClockSample(
            source, device: device, receiverTime: Timestamp(nanosecondsSince1970: time),
            hostTime: Timestamp(nanosecondsSince1970: time + offset), quantizationError: quantizationError)
    }

    /// Returns a series of comparisons once a second.
    static func series(_ offsets: [Int64]) -> ClockSeries {
        var series = ClockSeries()
        for (second, offset) in offsets.enumerated() { series.add(sample(second: Double(second), offset: offset)) }
        return series
    }
}

import LocationCore

extension ClockSample {
    /// Creates a sample from a report; `nil` if a time is missing or impossible.
    init?(_ report: ClockComparisonReport, _ source: Source) {
        guard let receiver = Timestamp(report.real_sec, report.real_nsec),
            let host = Timestamp(report.clock_sec, report.clock_nsec)
        else { return nil }
        self.init(
            source, device: report.device, receiverTime: receiver, hostTime: host, precision: report.precision,
            quantizationError: report.qErr, sharedMemoryUnit: report.shm.flatMap(unit))
    }
}

/// Returns the number of a segment of NTP's shared memory, such as 1 for `NTP1`.
private func unit(_ segment: String) -> Int? {
    guard segment.hasPrefix("NTP"), let unit = Int(segment.dropFirst(3)), 0...255 ~= unit else { return nil }
    return unit
}

extension Timestamp {
    /// Creates a time from seconds and nanoseconds, or returns `nil` if they are missing or impossible.
    fileprivate init?(_ seconds: Int?, _ nanoseconds: Int?) {
        guard let seconds, let nanoseconds, 0..<1_000_000_000 ~= nanoseconds else { return nil }
        let (whole, isTooLarge) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = whole.addingReportingOverflow(Int64(nanoseconds))
        guard !isTooLarge, !overflows else { return nil }
        self.init(nanosecondsSince1970: sum)
    }
}

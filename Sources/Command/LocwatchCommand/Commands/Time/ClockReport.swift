import LocationCore
import LocationTracks

/// The judgement of one receiver as a clock: its figures, which of them to believe, and the delay of its messages.
struct ClockReport: Hashable, Sendable {
    /// The reference against which the delay of the messages was measured.
    enum Basis: Hashable, Sendable {
        /// The pulse of the receiver with this path.
        case pulse(of: String?)
        /// The system's clock, which a time service keeps.
        case systemClock
    }

    /// The delay of the messages on the data line.
    struct Delay: Hashable, Sendable {
        var nanoseconds: Int64
        var basis: Basis
    }

    /// A date that cannot be right.
    struct DateFault: Hashable, Sendable {
        var fault: WrongDate
        /// The last time that the receiver has reported.
        var time: Timestamp

        var words: String { fault.words(time) }
    }

    /// The comparisons by one kind of signal.
    struct Signal: Hashable, Sendable {
        var figures: ClockFigures
        /// The segment of NTP's shared memory, if gpsd has reported it.
        var unit: Int?
        /// The precision as an exponent of two in seconds, if gpsd has reported it.
        var precision: Int?

        init?(_ series: ClockSeries) {
            guard let figures = ClockFigures(series) else { return nil }
            self.figures = figures
            unit = series.newest?.sharedMemoryUnit
            precision = series.newest?.precision
        }
    }

    let device: String?
    let pulse: Signal?
    let message: Signal?
    let quantization: QuantizationErrors
    let leapSeconds: Int?
    let watch: PulseWatch
    /// The delay of the messages, or `nil` if it is unknown.
    let delay: Delay?
    /// The receiver's date, if it cannot be right.
    let wrongDate: DateFault?

    /// The delays that a message can have; a message cannot be early, but a pulse can belong to the next second.
    private static let possibleDelays: ClosedRange<Int64> = -1_000_000_000...2_000_000_000

    /// The signal that determines the offset.
    var source: ClockSample.Source { pulse == nil ? .message : .pulse }
    var best: Signal? { pulse ?? message }

    /// Judges all receivers of a session, in the order in which they appeared.
    ///
    /// - Parameters:
    ///   - isKept: Whether a time service keeps the clock of the host on which gpsd runs, as far as known.
    ///   - isLive: Whether the receivers report now.
    static func all(_ clocks: ClockStatistics, isKept: Bool, isLive: Bool = false) -> [ClockReport] {
        let all = clocks.all
        // The pulse of another receiver serves as well, because the host has only one clock.
        let shared = all.lazy.filter { wrongDate($0.clock, isLive: isLive) == nil }.compactMap { entry in
            ClockFigures(entry.clock.pulses).map { (median: $0.median, device: entry.device) }
        }.first
        return all.map { ClockReport($0.device, $0.clock, shared: shared, isKept: isKept, isLive: isLive) }
    }

    /// Returns what is wrong with the date of a receiver, with its last time.
    private static func wrongDate(_ clock: ClockStatistics.Receiver, isLive: Bool) -> DateFault? {
        guard let sample = clock.pulses.newest ?? clock.messages.newest else { return nil }
        return WrongDate(sample.receiverTime, host: sample.hostTime, isLive: isLive).map {
            DateFault(fault: $0, time: sample.receiverTime)
        }
    }

    private init(
        _ device: String?, _ clock: ClockStatistics.Receiver, shared: (median: Int64, device: String?)?, isKept: Bool,
        isLive: Bool
    ) {
        self.device = device
        wrongDate = Self.wrongDate(clock, isLive: isLive)
        pulse = Signal(clock.pulses)
        message = Signal(clock.messages)
        quantization = clock.pulses.quantization
        leapSeconds = clock.leapSeconds
        watch = clock.watch
        let reference = pulse.map { (median: $0.figures.median, device: device) } ?? shared
        guard let late = message?.figures.median else {
            delay = nil
            return
        }
        var measured: Delay?
        if let reference {
            let (difference, overflow) = late.subtractingReportingOverflow(reference.median)
            if !overflow { measured = Delay(nanoseconds: difference, basis: .pulse(of: reference.device)) }
        } else if isKept {
            measured = Delay(nanoseconds: late, basis: .systemClock)
        }
        delay = measured.flatMap { Self.possibleDelays.contains($0.nanoseconds) ? $0 : nil }
    }
}

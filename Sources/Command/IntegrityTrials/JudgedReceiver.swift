import LocationCore

/// A receiver whose reports are judged, one after another, on a session clock that the test moves.
struct JudgedReceiver {
    var monitor: IntegrityMonitor
    var time = 0.0
    var interval: Double
    /// The next position; each report is a copy of it.
    var location = Location(
        coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), horizontalAccuracy: 4, altitudeMSL: 40, speed: 0)
    /// The receiver's time minus the session's, in seconds.
    var clockOffset = 0.0
    /// Whether it is a machine of a fleet.
    var isOfFleet = false
    var hasTimes = true
    /// The civil time minus the session's, beyond that at the beginning, in seconds.
    var wallOffset = 0.0
    var changes: [IntegrityChange] = []
    /// Whether the reports are kept, to judge them again by other rules.
    var keepsUpdates = false
    private(set) var updates: [LocationUpdate] = []

    /// Creates a receiver with a number of positions a second, which some rules judge.
    init(rate: Double = 1, rules: IntegrityRules = IntegrityRules()) {
        interval = 1 / rate
        monitor = IntegrityMonitor(rules: rules)
    }

    var verdict: IntegrityVerdict { monitor.verdict(of: location.device) }
    var reasons: IntegrityReasons { monitor.lastChange(of: location.device)?.reasons ?? [] }

    var moment: Moment {
        let elapsed = Duration(clampingSeconds: time)
        return Moment(
            elapsed: elapsed, wall: Self.beginning.advanced(by: elapsed).advanced(by: Self.duration(wallOffset)))
    }

    private static let beginning = Timestamp(nanosecondsSince1970: 1_780_000_000_000_000_000)

    private static func duration(_ seconds: Double) -> Duration { .nanoseconds(Int64(clamping: seconds * 1e9)) }

    mutating func report(_ event: LocationEvent) {
        let update = LocationUpdate(event, at: moment).about(isOfFleet ? event.device : nil)
        if keepsUpdates { updates.append(update) }
        if let change = monitor.process(update) { changes.append(change) }
    }

    mutating func report() {
        var report = location
        report.timestamp = hasTimes ? moment.wall.advanced(by: Self.duration(clockOffset)) : nil
        self.report(.location(report))
    }

    /// Reports positions and, if any are given, satellites once a second, for some seconds.
    mutating func run(
        _ seconds: Int, signals: [Double]? = nil, others: [Double] = [], first: Int = 1,
        _ body: (inout Location) -> Void = { _ in }
    ) {
        let rate = Int(clamping: (1 / interval).rounded())
        for index in 0..<max(1, rate) * seconds {
            time += interval
            body(&location)
            report()
            if let signals, rate <= 1 || index % rate == 0 {
                report(.satellites(Self.sky(signals, others: others, first: first, of: location.device)))
            }
        }
    }

    /// Returns a view of satellites of GPS, and of Galileo if any others are given.
    static func sky(_ signals: [Double], others: [Double] = [], first: Int = 1, of device: String? = nil) -> SkyView {
        func satellites(_ system: Constellation, _ signals: [Double]) -> [Satellite] {
            signals.enumerated().map { index, signal in
                let heard = signal == 0 ? nil : signal
                return Satellite(constellation: system, number: first + index, signal: heard, isUsed: signal > 0)
            }
        }
        return SkyView(satellites: satellites(.gps, signals) + satellites(.galileo, others), device: device)
    }
}

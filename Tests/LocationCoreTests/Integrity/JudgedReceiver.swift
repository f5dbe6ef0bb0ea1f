import LocationCore

/// A receiver whose reports are judged, one after another, on a session clock that the test moves.
struct JudgedReceiver {
    var monitor = IntegrityMonitor()
    var time = 0.0
    /// The next position; each report is a copy of it.
    var location = Location(
        coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), horizontalAccuracy: 4, altitudeMSL: 40, speed: 0)
    /// The receiver's time minus the session's, in seconds.
    var clockOffset = 0.0
    var changes: [IntegrityChange] = []

    var verdict: IntegrityVerdict { monitor.verdict(of: location.device) }
    var reasons: IntegrityReasons { monitor.lastChange(of: location.device)?.reasons ?? [] }

    var moment: Moment { .after(Duration(clampingSeconds: time)) }

    mutating func report(_ event: LocationEvent) {
        if let change = monitor.process(LocationUpdate(event, at: moment)) { changes.append(change) }
    }

    /// Reports a position and, if any are given, satellites, for some seconds.
    mutating func run(
        _ seconds: Int, signals: [Double]? = nil, first: Int = 1, _ body: (inout Location) -> Void = { _ in }
    ) {
        for _ in 0..<seconds {
            time += 1
            body(&location)
            var report = location
            report.timestamp = moment.wall.advanced(by: .nanoseconds(Int64(clamping: clockOffset * 1e9)))
            self.report(.location(report))
            if let signals { self.report(.satellites(Self.sky(signals, first: first, of: location.device))) }
        }
    }

    static func sky(_ signals: [Double], first: Int = 1, of device: String? = nil) -> SkyView {
        let satellites = signals.enumerated().map { index, signal in
            Satellite(
                constellation: .gps, number: first + index, signal: signal == 0 ? nil : signal, isUsed: signal > 0)
        }
        return SkyView(satellites: satellites, device: device)
    }

    /// Signals as under an open sky.
    static let openSky: [Double] = [48, 46, 44, 43, 41, 39, 36, 34, 31]
}

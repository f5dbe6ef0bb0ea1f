import LocationCore
import LocwatchSupport

/// The last hour of a receiver by the second, and its last positions, in memory of fixed size.
struct MonitorHistory: Sendable {
    /// A figure of one second, which can have several epochs; NaN if it is not known.
    struct Figure: Sendable {
        /// The value of the newest epoch.
        private(set) var last = Float.nan
        /// The range of the epochs before it.
        private var (low, high) = (Float.nan, Float.nan)

        var lowest: Float { .minimum(low, last) }
        var highest: Float { .maximum(high, last) }

        /// Sets the value of another epoch.
        mutating func set(_ value: Double?) {
            (low, high) = (lowest, highest)
            last = Float(value ?? .nan)
        }
    }

    struct Second: Sendable {
        var accuracy = Figure()
        var speed = Figure()
        var altitude = Figure()
        var used = Figure()
        var signal = Figure()
        /// The time from the fix to its arrival, in seconds.
        var delay = Figure()
        /// The host's clock minus the receiver's, in seconds.
        var clock = Figure()
        var state: MonitorDevice.DeviceState
    }

    /// An hour at one second.
    static let limit = 3600
    /// Ten minutes at 20 positions a second.
    static let placeLimit = 12_000
    static let placeDuration = Duration.seconds(600)

    private(set) var seconds = Ring<Second>(limit: MonitorHistory.limit)
    /// The positions of the recent past.
    private(set) var places = Ring<(elapsed: Duration, coordinate: Coordinate)>(limit: MonitorHistory.placeLimit)
    /// The second of the session of the newest entry.
    private(set) var newest: Int64?

    /// Advances to a moment in a state; the seconds since the last call had that state.
    mutating func advance(to moment: Moment, in state: MonitorDevice.DeviceState) {
        let second = moment.elapsed.components.seconds
        let passed = newest.map { second - $0 } ?? 1
        guard passed > 0 else { return }
        if passed > Int64(Self.limit) { seconds.removeAll() }
        for _ in 0..<min(passed, Int64(Self.limit)) { seconds.append(Second(state: state)) }
        newest = second
    }

    /// Sets the state of the current second after a change.
    mutating func change(to state: MonitorDevice.DeviceState) {
        guard seconds.last?.state != state else { return }
        seconds.update { $0.state = state }
    }

    /// Sets the figures of the current second, and appends the position.
    mutating func append(_ location: Location, at moment: Moment) {
        change(to: .found)
        seconds.update {
            $0.accuracy.set(location.horizontalAccuracy)
            $0.speed.set(location.speed)
            $0.altitude.set(location.altitudeMSL ?? location.altitudeHAE)
            if let time = location.timestamp, let received = location.received {
                $0.delay.set(received.since(time).inSeconds)
            }
        }
        places.append((moment.elapsed, location.coordinate))
    }

    mutating func append(_ sample: ClockSample) { seconds.update { $0.clock.set(sample.offset) } }

    /// Sets the figures of the satellites in the current second.
    mutating func append(_ sky: SkyView) {
        seconds.update {
            if let used = sky.used { $0.used.set(Double(used)) }
            if let best = sky.bestSignal { $0.signal.set(best) }
        }
    }
}

/// The paths of satellites across the sky in the last ten minutes, in memory of limited size.
struct SkyTrails: Sendable {
    /// A satellite, as receivers name it.
    struct TrailKey: Hashable, Sendable {
        var constellation: Constellation?
        var number: Int
    }

    private static let interval = Duration.seconds(30)
    private static let length = 20
    private static let satelliteLimit = 256

    private(set) var trails: [TrailKey: Ring<(elevation: Float, azimuth: Float)>] = [:]
    private var noted: Duration?

    /// Adds the places of the satellites, at most once in each interval.
    mutating func append(_ sky: SkyView, at moment: Moment) {
        if let noted, moment.elapsed - noted < Self.interval, moment.elapsed >= noted { return }
        guard let satellites = sky.distinctSatellites else { return }
        noted = moment.elapsed
        var seen: Set<TrailKey> = []
        for satellite in satellites.prefix(Self.satelliteLimit) {
            guard let number = satellite.number ?? satellite.prn, let elevation = satellite.elevation,
                let azimuth = satellite.azimuth
            else { continue }
            let key = TrailKey(constellation: satellite.constellation, number: number)
            seen.insert(key)
            trails[key, default: Ring(limit: Self.length)].append((Float(elevation), Float(azimuth)))
        }
        // The path of a satellite that has set would never be forgotten otherwise.
        if trails.count > seen.count { trails = trails.filter { seen.contains($0.key) } }
    }
}

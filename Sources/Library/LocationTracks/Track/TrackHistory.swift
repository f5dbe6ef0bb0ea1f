import LocationCore

/// The history of a session for pictures, with a resolution that adapts to keep it small.
struct TrackHistory: Sendable {
    /// The track in segments; of a long one every second, fourth, … point.
    private(set) var segments: [[Coordinate]] = []
    /// The best signal in dB-Hz over time.
    private(set) var signal = TimeSeries()
    private(set) var accuracy = TimeSeries()
    /// The error against the reference point over time, if there is one.
    private(set) var error = TimeSeries()
    private(set) var speed = TimeSeries()
    /// The height above mean sea level over time.
    private(set) var heightMSL = TimeSeries()
    /// The height above the ellipsoid over time, for receivers that report no other height.
    private(set) var heightHAE = TimeSeries()
    /// The states, each with the time at which it began; of very many, those that lasted longest in each part of the session.
    private(set) var states: [(start: Duration, state: StateKind)] = [(.zero, .searching)]
    /// The paths of the satellites over the sky.
    private(set) var satellites: [SatelliteKey: SatellitePath] = [:]

    enum StateKind: Hashable, Sendable { case searching, found, error }

    /// The time in each state during a part of the session.
    private struct StatePart {
        private var times: [StateKind: Duration] = [:]

        /// The state that lasted longest.
        var longest: StateKind { times.max { $0.value < $1.value }?.key ?? .searching }

        mutating func add(_ time: Duration, to state: StateKind) { times[state, default: .zero] += time }
    }

    struct SatelliteKey: Hashable, Sendable {
        var constellation: Constellation?
        var number: Int
    }

    private var pointCount = 0
    private var stride = 1
    private var skipped = 0
    private var beginsSegment = true
    private static let pointLimit = 20_000
    private static let stateLimit = 4096
    private static let satelliteLimit = 400

    mutating func gap() { beginsSegment = true }

    mutating func process(_ location: Location, at moment: Moment, error distance: Double? = nil) {
        error.process(distance, at: moment.elapsed)
        accuracy.process(location.horizontalAccuracy, at: moment.elapsed)
        speed.process(location.speed, at: moment.elapsed)
        heightMSL.process(location.altitudeMSL, at: moment.elapsed)
        heightHAE.process(location.altitudeHAE, at: moment.elapsed)
        if beginsSegment {
            beginsSegment = false
            skipped = 0
            segments.append([location.coordinate])
        } else {
            skipped += 1
            guard skipped >= stride else { return }
            skipped = 0
            segments[segments.count - 1].append(location.coordinate)
        }
        pointCount += 1
        if pointCount > Self.pointLimit { thin() }
    }

    private mutating func thin() {
        if segments.count > Self.pointLimit / 2 {
            // A session that consists only of short segments loses the oldest ones.
            segments.removeFirst(segments.count / 2)
        } else {
            stride *= 2
            segments = segments.map { segment in segment.indices.filter { $0 % 2 == 0 }.map { segment[$0] } }
        }
        pointCount = segments.reduce(0) { $0 + $1.count }
    }

    mutating func process(_ transition: StateChange, at moment: Moment) {
        let kind: StateKind =
            switch transition.to {
            case .searching: .searching
            case .found: .found
            case .error: .error
            }
        guard states.last?.state != kind else { return }
        states.append((moment.elapsed, kind))
        if states.count > Self.stateLimit { thinStates() }
    }

    /// Replaces the states, but for the current one, by the one that lasted longest in each of half as many parts of the session.
    private mutating func thinStates() {
        guard let current = states.last else { return }
        let width = current.start / (Self.stateLimit / 2)
        guard width > .zero else {
            states = [current]
            return
        }
        var (thinned, part) = ([(start: Duration, state: StateKind)](), StatePart())
        func end(at start: Duration) {
            if thinned.last?.state != part.longest { thinned.append((start, part.longest)) }
            part = StatePart()
        }
        var begin = Duration.zero
        for (state, next) in zip(states, states.dropFirst()) {
            var from = state.start
            while next.start >= begin + width {
                part.add(begin + width - max(from, begin), to: state.state)
                end(at: begin)
                begin += width
                from = begin
            }
            part.add(next.start - max(from, begin), to: state.state)
        }
        if thinned.last?.state != current.state { thinned.append(current) }
        states = thinned
    }

    mutating func process(_ sky: SkyView, at moment: Moment) {
        signal.process(sky.bestSignal, at: moment.elapsed)
        for satellite in sky.distinctSatellites ?? [] {
            guard let number = satellite.number ?? satellite.prn, let elevation = satellite.elevation,
                let azimuth = satellite.azimuth, 0...90 ~= elevation
            else { continue }
            let key = SatelliteKey(constellation: satellite.constellation, number: number)
            guard satellites[key] != nil || satellites.count < Self.satelliteLimit else { continue }
            satellites[key, default: SatellitePath()].process(elevation, azimuth, isUsed: satellite.isUsed)
        }
    }
}

/// The path of a satellite over the sky.
struct SatellitePath: Sendable {
    /// The positions: degrees above the horizon and degrees from north.
    private(set) var places: [(elevation: Double, azimuth: Double)] = []
    /// Whether a fix has ever used the satellite.
    private(set) var wasUsed = false
    private var stride = 1
    private var skipped = 0

    mutating func process(_ elevation: Double, _ azimuth: Double, isUsed: Bool) {
        wasUsed = wasUsed || isUsed
        if let last = places.last, last.elevation == elevation, last.azimuth == azimuth { return }
        skipped += 1
        guard skipped >= stride else { return }
        skipped = 0
        places.append((elevation, azimuth))
        guard places.count > 256 else { return }
        stride *= 2
        places = places.indices.filter { $0 % 2 == 0 }.map { places[$0] }
    }
}

/// A number over time, in a bounded number of steps.
struct TimeSeries: Sendable {
    /// The smallest, mean and largest value of a step.
    struct Step: Sendable {
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var sum = 0.0
        var count = 0

        var mean: Double { sum / Double(max(1, count)) }

        fileprivate mutating func merge(_ other: Step) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            sum += other.sum
            count += other.count
        }
    }

    /// The length of a step, which is doubled when there are too many steps.
    private(set) var width = Duration.seconds(1)
    /// The range of all values, or `nil` if there are none.
    var range: ClosedRange<Double>? {
        let known = steps.filter { $0.count > 0 }
        guard let low = known.map(\.minimum).min(), let high = known.map(\.maximum).max() else { return nil }
        return low...high
    }

    /// The steps from the beginning on; a step without a value has a count of zero.
    private(set) var steps: [Step] = []
    private static let limit = 1024

    /// Returns the numbers in a larger or smaller unit.
    func divided(by unit: Double) -> TimeSeries {
        var series = self
        for index in series.steps.indices {
            series.steps[index].minimum /= unit
            series.steps[index].maximum /= unit
            series.steps[index].sum /= unit
        }
        return series
    }

    mutating func process(_ value: Double?, at elapsed: Duration) {
        // Such a large value is not a measurement, and could make a scale overflow.
        guard let value, value.magnitude < 1e12, elapsed >= .zero else { return }
        while elapsed / width >= Double(Self.limit) {
            width *= 2
            steps = Swift.stride(from: 0, to: steps.count, by: 2).map { index in
                var step = steps[index]
                if index + 1 < steps.count { step.merge(steps[index + 1]) }
                return step
            }
        }
        let index = Int(clamping: elapsed / width)
        while steps.count <= index { steps.append(Step()) }
        steps[index].merge(Step(minimum: value, maximum: value, sum: value, count: 1))
    }
}

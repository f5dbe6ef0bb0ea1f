import Glibc
package import LocationCore

/// A sequence of the bytes that a receiver sends in a scenario, determined by the scenario, the seed and the start.
package struct ScenarioEncoder: Sequence, IteratorProtocol, Hashable, Sendable {
    package let scenario: ReceiverScenario
    /// The seed of all random values.
    package let seed: UInt64
    /// The true time of the first epoch.
    package let start: Timestamp
    /// The duration of the scenario, or `nil` if it has no end.
    package let duration: Duration?
    /// The number of the next epoch.
    private var index = 0
    /// The nanoseconds of a number of epochs, from one with a number and a time since the start on: a third of a second is no
    /// whole number of nanoseconds.
    private var periodNanoseconds: Int64 = 1_000_000_000
    private var periodEpochs: Int64
    private var firstIndex = 0
    private var firstOffset = Duration.zero

    /// Creates an encoder of a scenario that begins at a true time.
    package init(_ scenario: ReceiverScenario, seed: UInt64 = 1, start: Timestamp, duration: Duration? = nil) {
        self.scenario = scenario
        self.seed = seed
        self.start = start
        self.duration = duration
        periodEpochs = Int64(scenario.rate)
    }

    /// Changes the time between the following epochs.
    mutating func change(interval: Duration) {
        guard interval >= .milliseconds(10), index > 0 else { return }
        // The next epoch is at the first multiple of the interval after the last one, as that of a receiver.
        let count = offset(of: index - 1).nanoseconds / interval.nanoseconds + 1
        (firstIndex, firstOffset) = (index, .nanoseconds(count * interval.nanoseconds))
        (periodNanoseconds, periodEpochs) = (interval.nanoseconds, 1)
    }

    /// Returns the next epoch and its bytes, or `nil` at the end of the scenario.
    package mutating func next() -> Transmission? {
        if let duration, offset(of: index) >= duration { return nil }
        defer { index += 1 }
        return transmission(index)
    }

    /// Returns the time of an epoch since the start.
    package func offset(of index: Int) -> Duration {
        firstOffset + .nanoseconds(Int64(index - firstIndex) * periodNanoseconds / periodEpochs)
    }

    /// Returns the bytes of one epoch.
    package func transmission(_ index: Int) -> Transmission {
        let epoch = epoch(index)
        guard epoch.reception != .unplugged else { return Transmission(epoch: epoch, bytes: []) }
        if scenario.isUBlox { return Transmission(epoch: epoch, bytes: EpochMessages.bytes(of: epoch)) }
        let sentences = EpochSentences.sentences(
            of: epoch, repeated: scenario.reportsPerEpoch, hasAccuracies: scenario.corrections != nil)
        var generator = SplitMix64(seed: seed, stream: 1 << 40 + UInt64(index))
        let bytes =
            scenario.noise?.applied(to: sentences, using: &generator) ?? sentences.flatMap(\.bytes)
        return Transmission(epoch: epoch, bytes: bytes)
    }

    /// Returns one epoch: the truth, and the receiver's report of it.
    ///
    /// - Parameter earlier: An epoch whose satellites the new one shares if both are in the same second, because computing them takes
    ///   most of the time.
    package func epoch(_ index: Int, sharing earlier: ScenarioEpoch? = nil) -> ScenarioEpoch {
        let offset = offset(of: index)
        let time = start.advanced(by: offset)
        let (reception, knowsTime) = scenario.reception(at: offset)
        let state = state(at: offset)
        let (place, speed, course) = (state.coordinate, state.speed, state.course)
        let shared = earlier.flatMap { earlier in
            earlier.reception == reception && earlier.offset.components.seconds == offset.components.seconds
                ? earlier : nil
        }
        let satellites = shared?.satellites ?? satellites(over: place, at: time, heard: reception)
        let used =
            shared?.used ?? (reception.dimensions == nil ? [] : SimulatedSky(seed: seed).usable(of: satellites))
        var epoch = ScenarioEpoch(
            index: index, offset: offset, time: time, place: place, speed: speed, course: speed > 0 ? course : nil,
            reception: reception, reported: NMEAPosition(), satellites: satellites, used: used,
            dops: shared.map(\.dops) ?? DilutionOfPrecision(of: used, holdsAltitude: reception.dimensions == 2))
        epoch.reported = reported(
            epoch, altitude: state.altitude ?? scenario.altitude, course: course, knowsTime: knowsTime)
        return epoch
    }

    private func state(at offset: Duration) -> TrackPath.PathState {
        if let path = scenario.path { return path.state(at: offset) }
        let (metres, speed) = scenario.progress(at: offset)
        let (place, course) = scenario.route.place(after: metres)
        return TrackPath.PathState(coordinate: place, altitude: nil, speed: speed, course: course)
    }

    private func satellites(
        over place: Coordinate, at time: Timestamp, heard reception: ReceiverScenario.Reception
    ) -> [SimulatedSatellite] {
        let sky = SimulatedSky(seed: seed)
        let all = sky.satellites(of: scenario.systems, over: place, at: time)
        switch reception {
        case .dark, .unplugged:
            return []
        case .blocked:
            return all.map { $0.heard { _ in nil } }
        case .weak(let count):
            let strongest = all.sorted { $0.elevation > $1.elevation }.prefix(count)
            return all.filter { strongest.contains($0) }.map(\.faint)
        case .fix2D:
            let heard = sky.threeApart(of: all)
            return all.map { heard.contains($0) ? $0 : $0.faint }
        case .fix3D, .displaced:
            return all
        case .jammed:
            return all.map { $0.heard { $0.map { Swift.max(8, $0 - 15) } } }
        case .spoofed:
            return all.map { $0.heard { _ in 46 } }
        }
    }

    private func reported(
        _ epoch: ScenarioEpoch, altitude: Double, course: Double?, knowsTime: Bool
    ) -> NMEAPosition {
        var position = NMEAPosition()
        if knowsTime { position.time = epoch.time.advanced(by: .seconds(604_800 * scenario.weeksOff)) }
        // A compass needs no satellites.
        if let compass = scenario.compass {
            position.set(compass.attitude(on: course ?? 0, at: epoch.offset))
            position.magneticVariation = compass.variation
        }
        guard let dimensions = epoch.reception.dimensions else { return position }
        let hdop = epoch.dops?.horizontal ?? 9
        let vdop = epoch.dops?.vertical ?? 9
        let corrected = scenario.corrections?.fix(at: epoch.offset)
        // The standard deviation of the measured distance to one satellite, in metres.
        let sigma = corrected?.sigma ?? 1.6
        let error = error(of: epoch, horizontal: sigma * hdop, vertical: sigma * vdop)
        position.coordinate = epoch.place.moved(
            by: GroundOffset(east: error.east + epoch.reception.displacement, north: error.north))
        position.speed = epoch.speed
        position.course = epoch.course
        if let corrected {
            (position.quality, position.dgpsAge, position.dgpsStation) = (
                corrected.quality, corrected.age, scenario.corrections?.station
            )
        }
        position.used = epoch.used.count
        position.hdop = hdop
        if dimensions == 3 {
            position.altitude = altitude + error.up
            position.geoidSeparation = scenario.geoidSeparation
            if let dops = epoch.dops, let north = dops.latitude, let east = dops.longitude {
                // Receivers do not report an error of less than a decimetre.
                let known = scenario.positionError.map { Swift.max(0.1, $0) }
                position.errors.range = known ?? sigma
                let (north, east) = (known ?? sigma * north, known ?? sigma * east)
                position.errors.north = north
                position.errors.east = east
                position.errors.up = known ?? sigma * vdop
                position.errors.major = Swift.max(north, east)
                position.errors.minor = Swift.min(north, east)
                position.errors.orientation = north >= east ? 0 : 90
            }
        }
        return position
    }

    private func error(
        of epoch: ScenarioEpoch, horizontal: Double, vertical: Double
    ) -> (east: Double, north: Double, up: Double) {
        if let deviation = scenario.positionError {
            var generator = SplitMix64(seed: seed, stream: 1 << 44 + UInt64(epoch.index))
            return (deviation * generator.normal(), deviation * generator.normal(), deviation * generator.normal())
        }
        return (
            horizontal * drift(1, at: epoch.offset), horizontal * drift(2, at: epoch.offset),
            vertical * drift(3, at: epoch.offset)
        )
    }

    // The errors of real receivers drift slowly: they hardly change from one second to the next.
    private func drift(_ axis: UInt64, at offset: Duration) -> Double {
        var generator = SplitMix64(seed: seed, stream: 1 << 48 + axis)
        let seconds = Double(offset.nanoseconds) / 1e9
        return [(311.0, 0.6), (47.0, 0.35), (13.0, 0.12)].reduce(0) { sum, wave in
            sum + wave.1 * sin(2 * .pi * (seconds / wave.0 + generator.unit()))
        }
    }
}

extension SimulatedSatellite {
    /// Returns the satellite with another signal.
    fileprivate func heard(as signal: (Double?) -> Double?) -> SimulatedSatellite {
        var other = self
        other.signal = signal(self.signal)
        return other
    }

    /// The satellite as heard through walls, with a signal too weak for a fix.
    fileprivate var faint: SimulatedSatellite { heard { $0.map { min(19, max(8, $0 - 24)) } } }
}

public import LocationCore
import LocwatchSupport

/// The statistics of a session of any length, in bounded memory.
///
/// Pass every element of `LocationProvider.tracked` to `process`; the properties can be read at any time. Between positions passes the
/// time of the receiver's clock, if they have times, so that a recording that was made faster than its receiver reported has the
/// figures of the receiver.
public struct TrackStatistics: Sendable {
    /// A time without a current position after the first one.
    public struct Gap: Hashable, Sendable {
        /// The moment at which the position was lost.
        public var start: Moment
        /// The length of the gap, so far if it is still in progress.
        public var length: Duration
        /// A short stable code of the reason; see `StateChange.Reason.code`.
        public var reason: String
    }

    /// The first moment of the session that was processed.
    public private(set) var began: Moment?
    /// The last moment of the session that was processed.
    public private(set) var ended: Moment?
    /// The number of times that the date changed by a day or more while that time did not pass, as when a receiver learns the date,
    /// with the first change.
    package private(set) var dateJumps: (count: Int, first: (from: Timestamp, to: Timestamp)?) = (0, nil)
    private var passed: Moment?
    /// The number of epochs with a position.
    public private(set) var epochs = 0
    /// The number of views of the satellites, one for each epoch.
    package private(set) var skyViews = 0
    /// The number of positions that were older than an earlier one of the same receiver.
    public private(set) var late = 0
    package private(set) var untimed = 0
    /// The time from the beginning of the session to the first position, if any.
    public var timeToFirstFix: Duration? { presence.timeToFirstFix }
    /// The times without a position after the first one, in order; the last may be still in progress.
    ///
    /// A loss without a length, at the very end of a session or one that ended at once, is not a gap. Neither is the
    /// time until the next report of a receiver with a long interval that was not known yet.
    public var gaps: [Gap] { presence.losses.filter { $0.length > .zero } }
    /// The number of times that another receiver became the current one.
    public private(set) var handovers = 0
    /// The judgements of the receivers: whether their positions are to be believed.
    package var integrity: IntegrityFigures { judgements.at(ended) }
    /// The statistics of each receiver in the order of their first updates, for at most `receiverLimit`, or in a fleet
    /// `fleetLimit`.
    package var receivers: [ReceiverStatistics] { figures.values.map { $0.at(ended, of: duration) } }
    /// The maximum number of receivers with statistics of their own.
    package static let receiverLimit = 256
    /// The maximum number of devices of a fleet with statistics of their own.
    package static let fleetLimit = 10_000
    /// The number of exact values in each distribution of a machine: ten thousand with the usual one could take a gigabyte.
    private static let exactLimitOfFleet = 256
    /// The number of epochs with a fix in two and in three dimensions.
    public var fixes: [FixKind: Int] { fixCounts.all }
    package var qualities: [FixQuality: Int] { qualityCounts.all }
    package var devices: [String?: Int] { deviceCounts.all }
    /// The numbers of satellites seen; the view of an epoch counts once.
    package private(set) var seen = Distribution()
    package private(set) var used = Distribution()
    /// The signals in dB-Hz by system, with unknown systems under `nil`.
    package var signals: [Constellation?: Distribution] {
        let names: [Constellation?] = Constellation.allCases + [nil]
        return Dictionary(uniqueKeysWithValues: zip(names, systems).filter { $0.1.count > 0 })
    }
    package private(set) var horizontalDilution = Distribution()
    package private(set) var verticalDilution = Distribution()
    /// The position dilution of precision, in three dimensions.
    package private(set) var positionDilution = Distribution()
    /// The reported horizontal accuracy in metres.
    public private(set) var horizontalAccuracy = Distribution()
    /// The reported vertical accuracy in metres.
    public private(set) var verticalAccuracy = Distribution()
    /// The reported accuracy of the speed in metres per second.
    package private(set) var speedAccuracy = Distribution()
    /// The arrival of positions after their own time, in seconds by the session's clock: clock offset and delay
    /// together; empty if the session did not run at the pace of its receiver.
    package var clockOffset: Distribution { clock.isAtPace ? arrivals : Distribution() }
    /// The comparisons of the host's clock with the receivers'.
    package private(set) var clocks = ClockStatistics()
    /// The errors against a point whose place is known, if there is one; set it before the first update.
    package var reference: ReferenceFigures?
    /// The data from which pictures are drawn.
    var history: TrackHistory { kept ?? TrackHistory() }

    /// Whether the session is about a fleet, which has neither motion nor scatter.
    package private(set) var isFleet = false
    private var clock = FigureClock()
    private var arrivals = Distribution()
    private var presence = Availability()
    private var judgements = IntegrityFigures()
    private var figures = PerDevice<ReceiverStatistics>()
    /// The signals of each system in their order, and those of unknown ones; no satellite needs a search for its own.
    private var systems = Array(repeating: Distribution(), count: Constellation.allCases.count + 1)
    private var epochRate = EpochRate()
    private var fixCounts = RunCounts<FixKind>()
    private var qualityCounts = RunCounts<FixQuality>()
    private var deviceCounts = RunCounts<String?>()
    private static let traffic = Duration.seconds(120)

    /// The data for pictures, or `nil` if none will be drawn.
    private var kept: TrackHistory?
    private var way = Motion(tellsDecisions: true)
    private var wayFigures = MotionFigures()
    private var isHeightKnown = false

    /// Creates statistics of a session that begins now.
    ///
    /// - Parameter forPictures: Whether a `TrackPlot` can be made of them, which needs the paths of the satellites.
    public init(forPictures: Bool = true) { kept = forPictures ? TrackHistory() : nil }

    /// Processes an update.
    public mutating func process(_ update: TrackedUpdate) {
        if case .update(let update, let standing) = update { follow(update, standing) }
        let now = clock.moment(of: update.moment)
        let moment = update.moment
        func time(of other: Moment) -> Moment { now.advanced(by: moment.duration(to: other)) }
        advance(to: now)
        switch update {
        case .transition(let transition): process(transition, at: time(of: transition.beginning))
        case .deviceTransition(let transition):
            let beginning = time(of: transition.beginning)
            withFigures(of: transition.device) { $0.process(transition, at: beginning) }
        case .handover:
            handovers += 1
            interrupt()
        case .integrity(var change):
            change.moment = now
            judgements.process(change)
        case .fence, .failureEnded: break
        case .update(let update, let standing):
            switch update.event {
            case .location(let location):
                process(
                    location, standing, at: time(of: update.moment.arrival(of: location)), update.reportInterval,
                    isStationary: update.isStationary)
            case .satellites(let sky): process(sky, at: now)
            case .searching(_, let device?): withFigures(of: device) { _ in }
            case .device(let status): withFigures(of: status.path) { _ in }
            case .clock: clocks.process(update.event, at: update.moment)
            case .searching, .failure, .attitude, .notice, .receiver, .authorization, .line, .other: break
            }
        }
    }

    /// Notes what decides which time is that of the figures.
    private mutating func follow(_ update: LocationUpdate, _ standing: TrackedUpdate.Standing) {
        if update.subject != nil { isFleet = true }
        guard !isFleet, standing == .current, let location = update.location, !location.isLate else { return }
        clock.follow(location, at: update.moment.arrival(of: location).elapsed.clampedNanoseconds)
    }

    /// Calls `change` with the statistics of a receiver, unless there are too many receivers.
    private mutating func withFigures(of device: String?, _ change: (inout ReceiverStatistics) -> Void) {
        let limit = isFleet ? Self.fleetLimit : Self.receiverLimit
        guard figures.count < limit || figures[device] != nil else { return }
        let exactLimit = isFleet ? Self.exactLimitOfFleet : Distribution.exactLimit
        let place = figures.place(of: device, default: ReceiverStatistics(device, exactLimit: exactLimit))
        change(&figures[place: place])
    }

    /// Advances the time of a session in which nothing happens.
    package mutating func pass(_ moment: Moment) { advance(to: clock.moment(of: moment)) }

    private mutating func advance(to moment: Moment) {
        // The source may have been silent for a while before the first moment. Without any time the date is 1970.
        let waited = moment.wall.nanosecondsSince1970 == 0 ? .zero : moment.elapsed
        began = began ?? moment.advanced(by: .zero - waited)
        noteDate(of: moment)
        if moment.elapsed >= (ended?.elapsed ?? .zero) { ended = moment }
        presence.pass(moment)
    }

    private mutating func noteDate(of moment: Moment) {
        defer { passed = moment }
        guard let passed, passed.wall.nanosecondsSince1970 != 0 else { return }
        let jump = moment.wall.since(passed.wall) - passed.duration(to: moment)
        guard jump >= .seconds(86_400) || jump <= .seconds(-86_400) else { return }
        dateJumps.count += 1
        if dateJumps.first == nil { dateJumps.first = (passed.wall, moment.wall) }
    }

    /// The duration of the session.
    public var duration: Duration { ended?.elapsed ?? .zero }

    /// The time with a current position.
    public var foundTime: Duration { presence.foundTime(until: duration) }

    /// The share of the session with a current position; `nil` if the session has no duration.
    public var availability: Double? { duration > .zero ? foundTime / duration : nil }

    /// The mean number of epochs per second of a receiver while it had a position.
    public var rate: Double? { epochRate.mean }

    /// The distance and speed of the receiver.
    public var motion: MotionStatistics {
        let (way, figures) = settled
        return MotionStatistics(way, figures, isHeightKnown: isHeightKnown)
    }

    /// The scatter of the longest standstill, or `nil` if there was none.
    ///
    /// In a session with motion, a stop of less than two minutes counts as traffic, not as a standstill.
    public var scatter: Scatter? { standstill.scatter }

    var standstill: StandstillPositions {
        let (way, figures) = settled
        let standstill = figures.standstill
        let isTraffic = way.movingTime > .zero && standstill.duration < Self.traffic
        return isTraffic ? StandstillPositions() : standstill
    }

    /// The motion so far as if the session ended now.
    private var settled: (Motion, MotionFigures) {
        var (way, figures) = (way, wayFigures)
        way.settle()
        figures.follow(&way)
        figures.finish()
        return (way, figures)
    }

    private mutating func process(_ transition: StateChange, at moment: Moment) {
        kept?.process(transition, at: moment)
        if presence.process(transition, at: moment) { interrupt() }
    }

    /// Interrupts the track, because nothing is known of the motion in between.
    private mutating func interrupt() {
        clock.interrupt()
        way.interrupt()
        kept?.gap()
        epochRate.interrupt()
    }

    private mutating func process(
        _ location: Location, _ standing: TrackedUpdate.Standing, at moment: Moment,
        _ interval: ReportInterval.Estimate?, isStationary: Bool
    ) {
        withFigures(of: location.device) { $0.process(location, at: moment, interval) }
        epochs += 1
        deviceCounts.count(location.device)
        fixCounts.count(location.fix)
        qualityCounts.count(location.quality)
        if location.isLate { late += 1 }
        if location.timestamp == nil { untimed += 1 }
        // In a recording without timestamps the time of arrival is the report's own time, or that of a report before a late one.
        if let time = location.timestamp, let received = location.received, received != time, !location.isLate {
            arrivals.process(received.since(time).inSeconds)
        }
        // Motion and scatter cover one receiver, because the antenna of another one is elsewhere.
        let isOfWay = !isFleet && !location.isLate && standing == .current
        if isOfWay {
            let isInterrupted = presence.process(location, at: moment.elapsed, staleAfter: interval?.staleAfter)
            if isInterrupted { interrupt() }
        }
        if !location.isLate { epochRate.process(location, at: moment.elapsed) }
        guard isOfWay else { return }
        horizontalAccuracy.process(location.horizontalAccuracy)
        verticalAccuracy.process(location.verticalAccuracy)
        speedAccuracy.process(location.speedAccuracy)
        if location.altitude != nil { isHeightKnown = true }
        way.process(location, isStationary: isStationary, at: moment.elapsed.clampedNanoseconds)
        wayFigures.follow(&way)
        reference?.process(location, at: moment)
        kept?.process(location, at: moment, error: reference?.point.error(of: location).distance)
    }

    private mutating func process(_ sky: SkyView, at moment: Moment) {
        skyViews += 1
        seen.process(sky.seen.map(Double.init))
        used.process(sky.used.map(Double.init))
        horizontalDilution.process(sky.dilution.horizontal)
        verticalDilution.process(sky.dilution.vertical)
        positionDilution.process(sky.dilution.position)
        for satellite in sky.distinctSatellites ?? [] {
            guard let signal = satellite.signal else { continue }
            systems[satellite.constellation?.rawValue ?? systems.count - 1].process(signal)
        }
        kept?.process(sky, at: moment)
    }
}

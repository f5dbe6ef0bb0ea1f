public import LocationCore

/// A session in figures, in bounded memory however long it is.
///
/// Take every element of `LocationProvider.tracked`, then read the properties; they can be read at any time in between.
public struct TrackStatistics: Sendable {
    /// A time without a current position after the first.
    public struct Gap: Hashable, Sendable {
        /// When the position was lost.
        public var start: Moment
        /// How long it was; so far, where it still lasts.
        public var length: Duration
        /// A short stable word for why; see `Transition.Reason.code`.
        public var reason: String
    }

    /// The first moment of the session, as far as it was told.
    public private(set) var began: Moment?
    /// The last moment.
    public private(set) var ended: Moment?
    /// How many positions were reported, several of an instant included.
    public private(set) var reports = 0
    /// How many instants had a position.
    public private(set) var instants = 0
    /// How many sky views were reported.
    public private(set) var skyViews = 0
    /// How many positions were older than one before of the same receiver.
    public private(set) var late = 0
    /// How many positions had no time.
    public private(set) var untimed = 0
    /// How long it was from the beginning of the session to the first position; `nil` where there was none.
    public private(set) var timeToFirstFix: Duration?
    /// The times without a position after the first, in their order; the last may still last.
    ///
    /// A loss at the very end of a session, or one that ended at once, has no length and is none.
    public var gaps: [Gap] { losses.filter { $0.length > .zero } }
    /// How many instants had a fix in two and in three dimensions.
    public private(set) var fixes: [FixKind: Int] = [:]
    /// What helped the fixes, by instants.
    public private(set) var qualities: [FixQuality: Int] = [:]
    /// How many instants each receiver gave.
    public private(set) var devices: [String?: Int] = [:]
    /// Satellites seen.
    ///
    /// gpsd often tells a sky in parts; the last report of each counts, once the next sky or the end is there.
    public private(set) var seen = Distribution()
    /// Satellites used.
    public private(set) var used = Distribution()
    /// Signals in dB-Hz by system; of satellites whose system is not told under `nil`.
    public var signals: [Constellation?: Distribution] {
        Dictionary(uniqueKeysWithValues: systems.map { ($0.constellation, $0.signals) })
    }
    /// Dilution of precision on the ground.
    public private(set) var horizontalDilution = Distribution()
    /// Dilution of precision in altitude.
    public private(set) var verticalDilution = Distribution()
    /// Dilution of precision in three dimensions.
    public private(set) var positionDilution = Distribution()
    /// Horizontal accuracy as reported, metres.
    public private(set) var horizontalAccuracy = Distribution()
    /// Vertical accuracy as reported, metres.
    public private(set) var verticalAccuracy = Distribution()
    /// Accuracy of the speed as reported, metres a second.
    public private(set) var speedAccuracy = Distribution()
    /// How much later than its own time a position arrived by the session's clock, seconds: clock offset and delay together.
    public private(set) var clockOffset = Distribution()
    /// What the pictures are drawn from.
    var history: TrackHistory { kept ?? TrackHistory() }

    /// A system's signals; there are a handful, and walking over them is faster than hashing at each satellite.
    private struct System: Sendable {
        let constellation: Constellation?
        var signals = Distribution()
    }

    /// What is kept of a receiver until its next report; they are few too.
    private struct Receiver: Sendable {
        let device: String?
        var sky: (view: SkyView, moment: Moment)?
        var instant: (time: Timestamp?, elapsed: Duration)?
    }

    private var losses: [Gap] = []
    private var systems: [System] = []
    private var receivers: [Receiver] = []
    private var intervals = 0
    private var intervalTime = Duration.zero
    /// Shorter than the cycle of a receiver that tells its satellites in parts, longer than the pauses between them.
    private static let partsPause = Duration.milliseconds(500)
    /// How long a stop on the way lasts at most.
    private static let traffic = Duration.seconds(120)
    /// How far a receiver's clock may be from the session's over an interval, for it to be believed.
    private static let clockTolerance = Duration.seconds(2)

    /// What the pictures are drawn from; `nil` where none will be.
    private var kept: TrackHistory?
    private var meter = MotionMeter()
    private var isFound = false
    private var foundSince = Duration.zero
    private var foundBefore = Duration.zero
    private var device: String??
    private var held: (location: Location, moment: Moment)?

    /// Statistics of a session that begins now.
    ///
    /// - Parameter forPictures: whether a `TrackPlot` may be made of them, which remembers where the satellites stood.
    public init(forPictures: Bool = true) {
        kept = forPictures ? TrackHistory() : nil
    }

    /// Takes in what happened.
    public mutating func take(_ update: TrackedUpdate) {
        switch update {
        case .transition(let transition):
            pass(transition.moment)
            take(transition)
        case .deviceTransition, .handover: break
        case .update(let update):
            pass(update.moment)
            switch update.event {
            case .location(let location): take(location, at: update.moment)
            case .satellites(let sky): take(sky, at: update.moment)
            case .searching, .failure, .device, .receiver, .authorization, .line, .notice: break
            }
        }
    }

    /// Lets time pass without anything happening, for a session that is still going on.
    public mutating func pass(_ moment: Moment) {
        began = began ?? moment
        if moment.elapsed >= (ended?.elapsed ?? .zero) { ended = moment }
        if !isFound, let last = losses.indices.last { losses[last].length = losses[last].start.duration(to: moment) }
    }

    /// How long the session was.
    public var duration: Duration { ended?.elapsed ?? .zero }

    /// How long there was a current position.
    public var foundTime: Duration { foundBefore + (isFound ? duration - foundSince : .zero) }

    /// The share of the session with a current position; `nil` of a session without any time.
    public var availability: Double? { duration > .zero ? foundTime / duration : nil }

    /// Instants a second of a receiver while there was a position; of several receivers the mean.
    public var rate: Double? {
        intervalTime > .zero ? Double(intervals) / (intervalTime / .seconds(1)) : nil
    }

    /// How far and how fast it went.
    public var motion: Motion { metered.motion }

    /// How the positions of the longest standstill lie; `nil` where it never stood.
    ///
    /// In a session that moves, a stop of less than two minutes is traffic, and no standstill.
    public var scatter: Scatter? { standstill.scatter }

    var standstill: Standstill {
        let metered = metered
        let isTraffic = metered.motion.movingTime > .zero && metered.standstill.duration < Self.traffic
        return isTraffic ? Standstill() : metered.standstill
    }

    // The last instant is held back until the next, as a later report of it may change it.
    private var metered: MotionMeter {
        var meter = meter
        if let held { meter.take(held.location, at: held.moment) }
        meter.settle()
        return meter
    }

    private mutating func take(_ transition: Transition) {
        kept?.take(transition)
        if case .found = transition.to {
            timeToFirstFix = timeToFirstFix ?? transition.moment.elapsed
            if let last = losses.indices.last {
                losses[last].length = losses[last].start.duration(to: transition.moment)
            }
            isFound = true
            foundSince = transition.moment.elapsed
        } else if isFound {
            isFound = false
            foundBefore += transition.moment.elapsed - foundSince
            losses.append(Gap(start: transition.moment, length: .zero, reason: transition.reason.code))
            releaseHeld()
            meter.gap()
            kept?.gap()
            device = nil
            for index in receivers.indices { receivers[index].instant = nil }
        }
    }

    private mutating func take(_ location: Location, at moment: Moment) {
        reports += 1
        if let device, device == location.device, location.revision > 0, held?.location.timestamp == location.timestamp
        {
            count(held?.location, -1)
            count(location, 1)
            held = (location, moment)
            return
        }
        if location.revision > 0 { return }
        instants += 1
        devices[location.device, default: 0] += 1
        count(location, 1)
        if location.isLate { late += 1 }
        if location.timestamp == nil { untimed += 1 }
        // A recording without stamps has no time of arrival but the report's own.
        if let time = location.timestamp, let received = location.received, received != time {
            clockOffset.take(received.since(time) / .seconds(1))
        }
        if !location.isLate { takeInterval(to: location, at: moment) }
        // Ways and scatter are those of one receiver; another's antenna is somewhere else.
        guard device == nil || device == .some(location.device), !location.isLate else { return }
        device = .some(location.device)
        releaseHeld()
        held = (location, moment)
    }

    private mutating func count(_ location: Location?, _ number: Int) {
        guard let location else { return }
        fixes[location.fix, default: 0] += number
        qualities[location.quality, default: 0] += number
        if fixes[location.fix] == 0 { fixes[location.fix] = nil }
        if qualities[location.quality] == 0 { qualities[location.quality] = nil }
    }

    private mutating func releaseHeld() {
        guard let (location, moment) = held else { return }
        held = nil
        horizontalAccuracy.take(location.horizontalAccuracy)
        verticalAccuracy.take(location.verticalAccuracy)
        speedAccuracy.take(location.speedAccuracy)
        meter.take(location, at: moment)
        kept?.take(location, at: moment)
    }

    private mutating func takeInterval(to location: Location, at moment: Moment) {
        let index = receiver(location.device)
        if let last = receivers[index].instant {
            let passed = moment.elapsed - last.elapsed
            var interval = passed
            // The receiver's clock is even, where reports are held up on their way, until it is set.
            if let time = location.timestamp, let before = last.time {
                let told = time.since(before)
                if told > .zero, max(told, passed) - min(told, passed) < Self.clockTolerance { interval = told }
            }
            intervals += 1
            intervalTime += interval
        }
        receivers[index].instant = (location.timestamp, moment.elapsed)
    }

    /// Counts the last instant and the last sky too; a session that goes on after it may give a later report of them, which is
    /// not counted then or counted by itself.
    public mutating func finish() {
        releaseHeld()
        for index in receivers.indices { releaseSky(of: index) }
    }

    private mutating func take(_ sky: SkyView, at moment: Moment) {
        skyViews += 1
        let index = receiver(sky.device)
        var sky = sky
        if let held = receivers[index].sky {
            if let time = sky.timestamp, time == held.view.timestamp {
                sky.add(held.view)
            } else if !Self.isContinued(held, by: sky, at: moment) {
                releaseSky(of: index)
            }
        }
        receivers[index].sky = (sky, moment)
    }

    // NMEA receivers tell the satellites a system at a time, and gpsd reports each time all that it has so far, without a time.
    private static func isContinued(_ held: (view: SkyView, moment: Moment), by sky: SkyView, at moment: Moment) -> Bool
    {
        guard sky.timestamp == nil, held.view.timestamp == nil, let before = held.view.seen, let seen = sky.seen
        else { return false }
        return seen > before && moment.elapsed - held.moment.elapsed < partsPause
    }

    private mutating func releaseSky(of index: Int) {
        guard let (sky, moment) = receivers[index].sky else { return }
        receivers[index].sky = nil
        seen.take(sky.seen.map(Double.init))
        used.take(sky.used.map(Double.init))
        horizontalDilution.take(sky.dilution.horizontal)
        verticalDilution.take(sky.dilution.vertical)
        positionDilution.take(sky.dilution.position)
        for satellite in sky.satellites ?? [] {
            if let signal = satellite.signal { take(signal, of: satellite.constellation) }
        }
        kept?.take(sky, at: moment)
    }

    private mutating func receiver(_ device: String?) -> Int {
        var index = receivers.startIndex
        while index < receivers.endIndex, receivers[index].device != device { index += 1 }
        if index == receivers.endIndex { receivers.append(Receiver(device: device)) }
        return index
    }

    private mutating func take(_ signal: Double, of constellation: Constellation?) {
        var index = systems.startIndex
        while index < systems.endIndex, systems[index].constellation != constellation { index += 1 }
        if index == systems.endIndex { systems.append(System(constellation: constellation)) }
        systems[index].signals.take(signal)
    }
}

extension SkyView {
    /// Takes over what only an earlier report of the same instant told.
    fileprivate mutating func add(_ earlier: SkyView) {
        satellites = satellites ?? earlier.satellites
        seen = seen ?? earlier.seen
        used = used ?? earlier.used
        dilution.horizontal = dilution.horizontal ?? earlier.dilution.horizontal
        dilution.vertical = dilution.vertical ?? earlier.dilution.vertical
        dilution.position = dilution.position ?? earlier.dilution.position
    }
}

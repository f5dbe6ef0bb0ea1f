import LocationCore

/// How far and how fast a receiver went.
public struct Motion: Sendable {
    /// Metres from point to point, whatever made them differ; gaps are not counted.
    public internal(set) var rawDistance = 0.0
    /// Metres while it moved: what a receiver drifts while it stands is taken out, and of what its position jumps there remains
    /// what its greatest speed could do.
    public internal(set) var distance = 0.0
    /// How long it moved.
    public internal(set) var movingTime = Duration.zero
    /// How long it stood.
    public internal(set) var standingTime = Duration.zero
    /// Speeds while it moved, metres a second, as reported, or from point to point where none is reported.
    public internal(set) var speeds = Distribution()
    /// Metres upwards, changes of less than `heightStep` not counted.
    public internal(set) var ascent = 0.0
    /// Metres downwards.
    public internal(set) var descent = 0.0

    /// Changes of height below this are a receiver's noise.
    public static let heightStep = 5.0

    /// Metres a second over the moving time.
    public var averageMovingSpeed: Double? {
        movingTime > .zero ? distance / (movingTime / .seconds(1)) : nil
    }
}

/// Tells a receiver that moves from one that drifts, and measures its way.
///
/// It moves when it is farther from where it stood than both five metres and the accuracy that it reports (thirty at most), and
/// where it reports speeds, when two in a row are 0.5 m/s and more; five such speeds in a row and five metres will do too, as
/// receivers measure speed better than place. It stands when it has not come so far for ten seconds, or
/// five in a row of its speeds are below that.
struct MotionMeter: Sendable {
    private(set) var motion = Motion()
    private(set) var longest = Standstill()
    private var current = Standstill()
    private var isMoving = false
    private var anchor: Location?
    private var anchorTime = Duration.zero
    private var last: (location: Location, elapsed: Duration)?

    /// The way since the receiver last stood.
    private struct Stretch {
        var distance = 0.0
        var time = Duration.zero
        var fastest = 0.0
    }
    private var fast = 0
    private var slow = 0
    /// What came since speeds are no longer those of standing; it belongs to what it turns out to be.
    private var leaving: [(location: Location, moment: Moment, time: Duration)] = []
    private var stretch = Stretch()
    private var height: Double?

    private static let walking = 0.5
    /// Metres below which nothing has moved.
    private static let least = 5.0
    /// So many speeds in a row are no noise.
    private static let sure = 5
    /// So many of them and no five metres are noise after all.
    private static let most = 10
    private static let patience = Duration.seconds(10)

    mutating func gap() {
        last = nil
        // Whatever happened in between: it is told anew whether it moves.
        endStretch()
        endStandstill()
        isMoving = false
        anchor = nil
        height = nil
    }

    /// The longest standstill, the one that still goes on included.
    var standstill: Standstill { current.isLonger(than: longest) ? current : longest }

    mutating func take(_ location: Location, at moment: Moment) {
        // Nobody knows what happened in a day of which nothing is told.
        if let last, let time = location.timestamp, let before = last.location.timestamp,
            time.since(before) >= TrackAssembler.jump
        {
            gap()
        }
        count(location.speed)
        let elapsed = moment.elapsed
        let step = last.map { $0.location.coordinate.distance(to: location.coordinate) } ?? 0
        // The session's own time, so that moving and standing are parts of the time with a position.
        let time = last.map { max(.zero, elapsed - $0.elapsed) } ?? .zero
        motion.rawDistance += step
        if isMoving {
            goOn(location, moment, elapsed, step: step, time: time)
        } else {
            stand(location, moment, elapsed, time: time)
        }
        last = (location, elapsed)
    }

    private mutating func count(_ speed: Double?) {
        guard let speed else { return }
        fast = speed >= Self.walking ? fast + 1 : 0
        slow = speed < Self.walking ? slow + 1 : 0
    }

    private mutating func stand(_ location: Location, _ moment: Moment, _ elapsed: Duration, time: Duration) {
        guard let anchor else {
            self.anchor = location
            current.take(location, at: moment)
            return
        }
        let away = current.distance(of: location.coordinate) ?? 0
        let isFast = location.speed == nil || fast >= 2
        if away > Self.reach(location) && isFast || away > Self.least && fast >= Self.sure {
            // The way since it stood is one straight line, so that drift is not in it.
            let line = anchor.coordinate.distance(to: location.coordinate)
            let since = leaving.reduce(time) { $0 + $1.time }
            for (location, _, _) in leaving { noteSpeed(of: location, step: 0, time: .zero) }
            leaving = []
            isMoving = true
            endStandstill()
            self.anchor = location
            anchorTime = elapsed
            note(location, step: line, time: since)
        } else if fast > 0, leaving.count < Self.most {
            leaving.append((location, moment, time))
        } else {
            stay()
            stay(location, at: moment, time: time)
        }
    }

    /// What seemed to leave did not, as far as is known.
    private mutating func stay() {
        for (location, moment, time) in leaving { stay(location, at: moment, time: time) }
        leaving = []
    }

    private mutating func stay(_ location: Location, at moment: Moment, time: Duration) {
        motion.standingTime += time
        current.take(location, at: moment)
        // What is left behind is where it stood on average.
        if let mean = current.mean { anchor?.coordinate = mean }
    }

    private mutating func goOn(
        _ location: Location, _ moment: Moment, _ elapsed: Duration, step: Double, time: Duration
    ) {
        note(location, step: step, time: time)
        if let anchor, anchor.coordinate.distance(to: location.coordinate) > Self.reach(location) {
            self.anchor = location
            anchorTime = elapsed
        }
        let hasStopped = location.speed == nil ? elapsed - anchorTime >= Self.patience : slow >= 5
        guard hasStopped else { return }
        isMoving = false
        endStretch()
        anchor = location
        current = Standstill()
        current.take(location, at: moment)
    }

    private mutating func note(_ location: Location, step: Double, time: Duration) {
        stretch.distance += step
        stretch.time += time
        noteSpeed(of: location, step: step, time: time)
        guard let now = location.altitudeMSL ?? location.altitudeHAE else { return }
        let before = height ?? now
        if abs(now - before) >= Motion.heightStep || height == nil {
            motion.ascent += max(0, now - before)
            motion.descent += max(0, before - now)
            height = now
        }
    }

    private mutating func noteSpeed(of location: Location, step: Double, time: Duration) {
        guard let speed = location.speed ?? speed(to: location, step: step, time: time) else { return }
        motion.speeds.take(speed)
        stretch.fastest = max(stretch.fastest, speed)
    }

    /// The speed of a step, by the receiver's clock where the session's agrees: reports can come in a burst.
    private func speed(to location: Location, step: Double, time: Duration) -> Double? {
        var time = time
        if let now = location.timestamp, let before = last?.location.timestamp {
            let told = now.since(before)
            if told > .zero, abs((told - time) / .seconds(1)) < 2 { time = told }
        }
        return time > .zero ? step / (time / .seconds(1)) : nil
    }

    /// Counts the way since the receiver last stood.
    ///
    /// Receivers measure speed better than place: where the positions went farther than the greatest speed allows, they jumped.
    private mutating func endStretch() {
        let seconds = stretch.time / .seconds(1)
        motion.distance += min(stretch.distance, stretch.fastest * seconds)
        motion.movingTime += stretch.time
        stretch = Stretch()
    }

    /// Counts what is still held back, to be read and not to be gone on with.
    mutating func settle() {
        stay()
        endStretch()
    }

    private mutating func endStandstill() {
        stay()
        if current.isLonger(than: longest) { longest = current }
        current = Standstill()
    }

    private static func reach(_ location: Location) -> Double {
        max(least, min(30, location.horizontalAccuracy ?? 10))
    }
}

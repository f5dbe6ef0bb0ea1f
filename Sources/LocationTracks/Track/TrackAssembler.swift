public import LocationCore

/// Makes one track out of a session: a point an instant, interrupted where there was no current position.
///
/// With several receivers the track is that of the first which has a position, until it loses it; so a track does not
/// jump between antennas. Points whose time goes back, or on by a day or more at once, are kept, and begin a segment of their own.
public struct TrackAssembler: Sendable {
    /// How many points were taken into the track; revisions do not count.
    public private(set) var points = 0
    /// How many locations of other receivers were left out.
    public private(set) var leftOut = 0

    private let device: String?
    private let keepsSatellites: Bool
    private var current: String??
    private var lastTime: Timestamp?
    private var hasPoint = false
    private var skies: [String?: Sky] = [:]

    private struct Sky {
        var view: SkyView
        var elapsed: Duration
    }

    /// How long what was said of the satellites belongs to the points that follow.
    private static let skyLife = Duration.seconds(10)

    /// A step of a receiver's time that is no time in which it went from one point to the next.
    static let jump = Duration.seconds(86_400)

    /// A track of one receiver, or of whichever has a position first where none is named.
    ///
    /// - Parameter keepsSatellites: whether points list the satellites one by one, which NMEA and gpsd's JSON need.
    public init(device: String? = nil, keepsSatellites: Bool = false) {
        self.device = device
        self.keepsSatellites = keepsSatellites
    }

    /// Takes in what happened, and answers with what it adds to the track.
    public mutating func take(_ update: TrackedUpdate) -> [TrackElement] {
        var elements: [TrackElement] = []
        take(update) { elements.append($0) }
        return elements
    }

    /// Takes in what happened, and hands on what it adds to the track, without an array in between.
    public mutating func take(_ update: TrackedUpdate, _ add: (TrackElement) -> Void) {
        switch update {
        case .transition(let transition):
            guard case .found = transition.from, hasPoint else { return }
            hasPoint = false
            current = nil
            add(.gap(.loss(transition)))
        case .deviceTransition, .handover: break
        case .update(let update):
            switch update.event {
            case .location(let location): take(location, at: update.moment.elapsed, add)
            case .satellites(let sky): take(sky, at: update.moment.elapsed)
            case .searching, .failure, .device, .receiver, .authorization, .line, .notice: break
            }
        }
    }

    private mutating func take(_ sky: SkyView, at elapsed: Duration) {
        var sky = sky
        // A report of figures alone says nothing about the satellites that were seen before.
        if sky.satellites == nil, let known = skies[sky.device]?.view {
            sky.seen = sky.seen ?? known.seen
            sky.used = sky.used ?? known.used
            sky.satellites = known.satellites
        }
        if !keepsSatellites { sky.satellites = nil }
        skies[sky.device] = Sky(view: sky, elapsed: elapsed)
    }

    private mutating func take(_ location: Location, at elapsed: Duration, _ add: (TrackElement) -> Void) {
        guard location.fix >= .twoD else { return }
        if let device, location.device != device {
            leftOut += 1
            return
        }
        if let current, current != location.device {
            leftOut += 1
            return
        }
        let sky = skies[location.device].flatMap { elapsed - $0.elapsed <= Self.skyLife ? $0.view : nil }
        let point = TrackPoint(location, sky: sky)
        if location.revision > 0, hasPoint, location.timestamp == lastTime {
            add(.revision(point))
            return
        }
        if hasPoint, let lastTime, let time = location.timestamp {
            if time < lastTime { add(.gap(.timeWentBack)) }
            if time.since(lastTime) >= Self.jump { add(.gap(.timeJumped)) }
        }
        current = .some(location.device)
        hasPoint = true
        lastTime = location.timestamp ?? lastTime
        points += 1
        add(.point(point))
    }
}

public import LocationCore

/// An assembler of one track from a session: a point per epoch, interrupted where there was no current position.
///
/// With several receivers the track is that of the current one, and a handover begins a segment, so that a track does
/// not jump between antennas; `init(device:)` makes the track of one receiver. Points whose time goes back, or forward
/// by a day or more at once, are kept, and begin a segment of their own.
///
/// An overdue position interrupts the track only once the next one has arrived and confirms the gap, so that a receiver
/// with a long interval that is not known yet does not split the track. The updates of `tracked` carry that interval.
public struct TrackAssembler: Sendable {
    /// The number of points of the track.
    public private(set) var points = 0
    /// The number of locations of other receivers that were left out.
    package private(set) var leftOut = 0

    private let subject: Subject
    private let keepsSatellites: Bool
    private var current: String??
    private var lastTime: Timestamp?
    private var hasPoint = false
    private var breaks = PositionBreaks()

    /// The receiver of the track, which may have no name.
    enum Subject: Sendable {
        case current
        case receiver(String?)
    }

    /// The step of a receiver's time that is too long for a connection from one point to the next.
    static let jump = Duration.seconds(86_400)

    /// Creates an assembler of the track of one receiver, or of the current one if `device` is `nil`.
    ///
    /// - Parameters:
    ///   - device: The receiver.
    ///   - keepsSatellites: Whether points list each satellite, which NMEA and gpsd's JSON need.
    public init(device: String? = nil, keepsSatellites: Bool = false) {
        self.init(of: device.map { .receiver($0) } ?? .current, keepsSatellites: keepsSatellites)
    }

    init(of subject: Subject, keepsSatellites: Bool) {
        self.subject = subject
        self.keepsSatellites = keepsSatellites
    }

    /// Processes an update and returns the elements that it adds to the track.
    public mutating func process(_ update: TrackedUpdate) -> [TrackElement] {
        var elements: [TrackElement] = []
        process(update) { elements.append($0) }
        return elements
    }

    /// Processes an update, and calls `add` with each element that it adds to the track, without an array in between.
    ///
    /// A position that is not shown, such as one that the daemon repeats after a loss, adds no point, but counts as a report
    /// of its receiver.
    public mutating func process(_ update: TrackedUpdate, _ add: (consuming TrackElement) -> Void) {
        switch update {
        case .transition(let transition):
            if case .current = subject { process(transition, add) }
        case .deviceTransition(let transition):
            if case .receiver(transition.device) = subject { process(transition, add) }
        case .handover(let handover):
            guard case .current = subject else { return }
            interrupt(by: .handover(handover), add)
            current = .some(handover.to)
        case .fence, .integrity, .failureEnded: break
        case .update(let update, let standing):
            switch update.event {
            case .location(let location): process(location, update, standing, add)
            case .notice(let notice):
                switch notice.content {
                case .dropped(let locations, _, _):
                    if locations > 0, hasPoint, let current { breaks.noteMissing(after: current) }
                case .track(let name):
                    hasPoint = false
                    add(.gap(.track(name: name)))
                default: break
                }
            case .searching, .failure, .satellites, .attitude, .device, .receiver, .clock, .authorization, .line,
                .other:
                break
            }
        }
    }

    private mutating func process(_ transition: StateChange, _ add: (consuming TrackElement) -> Void) {
        let interruption = breaks.process(transition)
        if case .found = transition.from { current = nil }
        if let interruption { interrupt(by: TrackGap(interruption), add) }
    }

    private mutating func interrupt(by gap: TrackGap, _ add: (consuming TrackElement) -> Void) {
        guard hasPoint else { return }
        hasPoint = false
        add(.gap(gap))
    }

    private mutating func process(
        _ location: Location, _ update: LocationUpdate, _ standing: TrackedUpdate.Standing,
        _ add: (consuming TrackElement) -> Void
    ) {
        guard location.fix >= .twoD else { return }
        if case .receiver(let device) = subject, location.device != device {
            leftOut += 1
            return
        }
        if case .current = subject, standing == .other || current.map({ $0 != location.device }) ?? false {
            leftOut += 1
            return
        }
        let staleAfter = update.reportInterval?.staleAfter
        if let interruption = breaks.process(location, at: update.moment.elapsed, staleAfter: staleAfter) {
            interrupt(by: TrackGap(interruption), add)
        }
        guard standing.isShown else { return }
        var point = TrackPoint(location, sky: update.sky, keepsSatellites: keepsSatellites)
        point.isStationary = update.isStationary
        if hasPoint, let gap = TrackGap(from: lastTime, to: location.timestamp) { add(.gap(gap)) }
        current = .some(location.device)
        hasPoint = true
        lastTime = location.timestamp ?? lastTime
        points += 1
        add(.point(consume point))
    }
}

extension TrackGap {
    fileprivate init(_ interruption: PositionBreak) {
        switch interruption {
        case .loss(let change): self = .loss(change)
        case .missing: self = .missing
        }
    }

    /// Returns the gap between the times of two points that follow each other, or `nil` if there is none.
    package init?(from last: Timestamp?, to time: Timestamp?) {
        guard let last, let time else { return nil }
        if time < last {
            self = .timeWentBack
        } else if time.since(last) >= TrackAssembler.jump {
            self = .timeJumped
        } else {
            return nil
        }
    }
}

package import LocwatchSupport

/// The results of a session so far: its state, the failure that lasts, and the latest reports of each receiver.
///
/// A view is a value without a clock. The session's tracker feeds it and nothing else does, so every consumer of a session
/// shows the same: a coordinator, a model, and each part of the command.
public struct SessionView: Sendable {
    /// The state of the session, with the newest current position, if any.
    ///
    /// A position that the request withholds does not become the one of the state, unless the state changes with it.
    public private(set) var state = LocationState.searching(.starting)
    package private(set) var failure: FailureRun?
    /// Whether anything has ever arrived from the source.
    package private(set) var hasHeard = false
    /// Whether the source is a track, which says itself where it is interrupted and has no search.
    package var isTrack: Bool { subjects.isTrack }

    package var subjects: SubjectTable
    package var receivers = PerDevice<ReceiverRecord>()
    var search: PositionSearch
    package private(set) var integrity = IntegrityMonitor()
    /// The receiver that has reported an attitude by itself last.
    private var compass: String??
    /// The distance in metres that the session has covered, if the owner of its tracker measures it.
    package internal(set) var distance: Double?
    /// The last position that was current, which stays available when it is lost.
    public private(set) var lastLocation: Location?
    private var hasEnded = false

    /// Creates the view of a session that begins now.
    init(_ subjects: SubjectTable, search: PositionSearch) {
        self.subjects = subjects
        self.search = search
    }

    /// Creates the view of a session that has not begun.
    package init() {
        self.init(SubjectTable(), search: PositionSearch(.everything))
    }

    // MARK: The position

    /// The current position, if any.
    public var location: Location? { state.location }

    /// The direction in which this machine points: that of the receiver of the current position, or else that of a compass beside it.
    ///
    /// It is the last one that was reported until its receiver is lost. A session about machines with names has none; see
    /// ``ReceiverView/attitude``.
    public var attitude: Attitude? {
        if isFleet { return nil }
        if let location, let own = receivers[location.device]?.attitude ?? location.attitude { return own }
        return compass.flatMap { receivers[$0]?.attitude }
    }

    /// Whether a position has come that meets the criteria of the request.
    package var isSatisfied: Bool { search.isSatisfied }

    /// Returns whether a position meets the criteria of the request.
    package func accepts(_ location: Location, _ standing: TrackedUpdate.Standing) -> Bool {
        search.accepts(location, standing)
    }

    /// Returns the error for a timeout or the end of the session, with the reason why no position was good enough.
    ///
    /// A failure lasts while the next attempt to reach the source runs.
    package func shortfall(after time: Duration) -> LocationError {
        guard let failure, case .searching(.connecting) = subjects.state else {
            return search.shortfall(after: time, in: subjects.state)
        }
        return search.shortfall(after: time, in: .error(failure.error))
    }

    /// Returns the answer to a request for one position that an update is: a position that is good enough, or a denial.
    ///
    /// Other failures can be transient.
    func answer(by update: TrackedUpdate) -> Result<Location, LocationError>? {
        if isSatisfied, let (location, _) = update.position { return .success(location) }
        if case .update(let update, _) = update, case .failure(let error, _) = update.event, case .denied = error {
            return .failure(error)
        }
        return nil
    }

    /// Returns the newest position of each receiver that is not stale, that of the current receiver first.
    ///
    /// The positions that do not meet the request of the session are among them.
    func freshPositions(at moment: Moment) -> [Location] {
        let positions = devices.compactMap { device -> Location? in
            switch subjects.state(of: device) {
            case .found(let location): return location
            case .searching(.unsuitable):
                guard let location = receivers[device]?.position, let received = location.received,
                    let staleAfter = subjects.reportInterval(of: device)?.staleAfter,
                    moment.wall.since(received) < staleAfter
                else { return nil }
                return location
            default: return nil
            }
        }
        let current = subjects.state.location?.device
        return positions.filter { $0.device == current } + positions.filter { $0.device != current }
    }

    /// Returns the distance that the session has covered up to a position that was just reported, rounded to 0.1 m; `nil` if it is not
    /// measured, or if the position is late or another receiver's.
    package func distance(at location: Location) -> Double? {
        guard let distance, !location.isLate, !hasSeveralPositions || lastLocation?.device == location.device
        else { return nil }
        return (distance * 10).rounded() / 10
    }

    // MARK: Receivers

    /// The receivers that have been reported, in the order of their first report; `nil` is one without a name.
    public var devices: [String?] { receivers.devices }

    /// Whether more than one receiver has reported a position.
    package var hasSeveralPositions: Bool { receivers.hasSeveral { $0.position != nil } }

    /// Returns the view of a receiver, or `nil` if it has not been reported.
    public subscript(device: String?) -> ReceiverView? {
        guard let record = receivers[device] else { return nil }
        let state = subjects.state(of: device) ?? .searching(.starting)
        return ReceiverView(
            record: record, state: hasEnded && state.location != nil ? .searching(.starting) : state,
            integrity: integrity.lastChange(of: device), isStationary: integrity.isStationary(device))
    }

    /// Returns the time for which a receiver has stood still, if it does.
    func standstill(of device: String?) -> Duration? { integrity.standstill(of: device) }

    /// The judgement of the receiver whose position is current, or was last: whether the position is to be believed.
    public var verdict: IntegrityVerdict {
        integrity.hasChanges ? integrity.verdict(of: lastLocation?.device) : .nominal
    }

    /// Returns whether a device is inside a fence, or `nil` if no position has decided yet or the session has no such fence.
    ///
    /// The answer stays when the position is lost.
    ///
    /// - Parameters:
    ///   - fence: The name of the fence.
    ///   - device: The machine, if the session names machines; other sessions have one position.
    public func isInside(_ fence: String, device: String? = nil) -> Bool? {
        subjects.fences?.monitor(of: device).isInside(fence)
    }

    package var fenceNames: [String] { subjects.fences?.fences.map(\.name) ?? [] }

    /// Returns whether a device is in each fence of `fenceNames`, in their order; see `isInside(_:device:)`.
    package func fenceDecisions(for device: String? = nil) -> [Bool?] {
        subjects.fences?.monitor(of: device).decisions ?? []
    }

    /// Returns a fence of the session as positions are compared with it: an anchor that has its position is a circle.
    ///
    /// - Parameters:
    ///   - name: The name of the fence.
    ///   - device: The machine, if the session names machines; each has its own anchor.
    public func fence(_ name: String, device: String? = nil) -> Fence? {
        subjects.fences?.monitor(of: device).placed.first { $0.name == name }
    }

    /// Returns each fence as seen from a position of a device, in the order of `fenceNames`.
    package func fencePlaces(for device: String? = nil, from coordinate: Coordinate? = nil) -> [FencePlace] {
        subjects.fences?.monitor(of: device).places(from: coordinate) ?? []
    }

    /// Returns a fence as seen from the position of its event.
    package func place(of event: FenceEvent) -> FencePlace? {
        fencePlaces(for: event.device, from: event.coordinate).first { $0.name == event.fence }
    }

    /// Returns the names of the fences that a device has entered and not left, in the order of the entries.
    package func entered(by device: String? = nil) -> [String] { subjects.fences?.monitor(of: device).entered ?? [] }

    // MARK: Subjects

    /// Whether the session is about a fleet: machines with names, each with a position of its own.
    ///
    /// It is known from the first update of a machine on; the receivers of one machine are no fleet.
    package var isFleet: Bool { subjects.isFleet }

    /// The receivers of this machine, one of which has its position, in the order of their first report; none in a fleet, whose machines
    /// are not compared with each other.
    package var rivals: [String?] { isFleet ? [] : devices }

    /// Whether several receivers of this machine have reported positions, so that it is to be said which of them is the position of the
    /// machine.
    package var hasRivalPositions: Bool { !isFleet && hasSeveralPositions }

    /// Returns the change of a subject's state that an update is, if any, with the name of the subject.
    ///
    /// The subjects are the machines of a fleet, or else the one machine of the session, which has no name.
    package func subjectChange(of update: TrackedUpdate) -> (subject: String?, change: StateChange)? {
        subjects.change(by: update)
    }

    // MARK: The tracker's changes

    mutating func moveToState() {
        state = subjects.state
        if let location = state.location { lastLocation = location }
    }

    /// Begins a search for one position within the session.
    mutating func search(for goal: LocationRequest) {
        search = PositionSearch(goal)
        if case .searching(let reason) = subjects.state { search.note(reason) }
    }

    /// Takes over the newest figures of a search.
    mutating func followSearch() {
        if case .searching = state, case .searching = subjects.state { state = subjects.state }
    }

    /// Notes what an update reports of its receiver, and returns the change of its judgement, if any.
    @discardableResult mutating func process(_ update: LocationUpdate) -> IntegrityChange? {
        switch update.event {
        case .location(let location):
            let place = receivers.place(of: location.device, default: ReceiverRecord())
            receivers[place: place].note(location, update.sky)
            return integrity.process(location, at: update.moment, of: update.subject)
        case .satellites(let sky):
            search.note(sky)
            // The place, because a change through the name allocates a frame.
            let place = receivers.place(of: sky.device, default: ReceiverRecord())
            receivers[place: place].sky = update.sky ?? sky
            return integrity.process(sky, at: update.moment)
        case .receiver(let report):
            search.hasReports = true
            return integrity.process(report, at: update.moment)
        case .attitude(let attitude):
            receivers[attitude.device, default: ReceiverRecord()].note(attitude: attitude)
            compass = .some(attitude.device)
        case .device(let status): receivers[status.path, default: ReceiverRecord()].status = status
        case .searching(let reason, let device):
            search.note(reason)
            if let path = reason.path, receivers[path] != nil {
                receivers[path, default: ReceiverRecord()].note(attitude: nil)
            }
            if update.subject != nil { _ = receivers.place(of: device, default: ReceiverRecord()) }
        case .notice(let notice):
            if case .lastKnown(let location) = notice.content {
                receivers[location.device, default: ReceiverRecord()].note(kept: location)
            }
        case .failure: forgetAttitudes()
        case .clock, .authorization, .line, .other: break
        }
        return nil
    }

    /// Returns the satellites that belong to the last position of a receiver, if any.
    package func sky(of device: String?) -> SkyView? { receivers[device]?.positionSky }

    /// Notes a failure; returns whether it differs from the one that lasts.
    mutating func noteFailure(_ error: LocationError, at moment: Moment) -> Bool {
        guard failure?.error == error else {
            failure = FailureRun(error: error, count: 1, moment: moment)
            return true
        }
        failure?.count += 1
        failure?.moment = moment
        return false
    }

    /// Returns the failure that an update ends, because something arrives or something else fails.
    mutating func endFailure(by update: LocationUpdate) -> FailureRun? {
        if case .failure(let error, _) = update.event {
            return failure?.error == error ? nil : failure.take()
        }
        guard update.event.comesFromReceivers else { return nil }
        hasHeard = true
        return failure.take()
    }

    /// Forgets the attitudes that receivers have reported by themselves, because nothing arrives any longer.
    private mutating func forgetAttitudes() {
        guard compass.take() != nil else { return }
        for place in 0..<receivers.count { receivers[place: place].note(attitude: nil) }
    }

    /// Ends the session: no position is current any longer; an error stays.
    mutating func end() {
        hasEnded = true
        forgetAttitudes()
        if case .error = state { return }
        state = .searching(.starting)
    }
}

extension LocationEvent {
    /// Whether the event can only come from a source that answers, and not from an attempt to reach one.
    fileprivate var comesFromReceivers: Bool {
        switch self {
        case .location, .satellites, .attitude, .receiver, .clock, .device: true
        case .searching(.starting, _), .searching(.connecting, _): false
        case .searching: true
        case .failure, .authorization, .line, .notice, .other: false
        }
    }
}

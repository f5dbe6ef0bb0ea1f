package import LocwatchSupport

/// What a session amounts to so far: its state, and what is known of each receiver.
///
/// A view is a value without a clock. The session's tracker feeds it and nothing else does, so every consumer of a session
/// shows the same: a coordinator, a model, and each part of the command.
public struct SessionView: Sendable {
    /// The state of the session; the position of `found` is the newest current one that the request does not withhold.
    public private(set) var state = LocationState.searching(.starting)
    /// Whether the devices are independent of each other, each with a position of its own.
    public let isFleet: Bool
    /// The failure that lasts, if nothing has arrived since.
    public private(set) var failure: FailureRun?
    /// Whether anything has ever arrived from the source.
    public private(set) var hasHeard = false

    package var trackers: DeviceTrackers
    package var receivers = PerDevice<ReceiverRecord>()
    var search: PositionSearch
    package var fences: DeviceFences?
    /// The last state with a position, by reference like every state.
    private var found: LocationState?

    /// Creates the view of a session that begins now.
    init(_ trackers: DeviceTrackers, isFleet: Bool, search: PositionSearch, fences: DeviceFences?) {
        self.trackers = trackers
        self.isFleet = isFleet
        self.search = search
        self.fences = fences
    }

    /// Creates the view of a session that has not begun.
    public init() {
        self.init(DeviceTrackers(), isFleet: false, search: PositionSearch(.everything), fences: nil)
    }

    // MARK: The position

    /// The current position, if any.
    public var location: Location? { state.location }

    /// The last position that was current, which stays available when it is lost.
    public var lastLocation: Location? { found?.location }

    /// Whether a position has come that meets the criteria of the request.
    package var isSatisfied: Bool { search.isSatisfied }

    /// Returns the error for a timeout or the end of the session, with the reason why no position was good enough.
    package func shortfall(after time: Duration) -> LocationError { search.shortfall(after: time, in: trackers.state) }

    // MARK: Receivers

    /// The receivers that have been reported, in the order of their first report; `nil` is one without a name.
    public var devices: [String?] { receivers.devices }

    /// Whether more than one receiver has reported a position.
    package var hasSeveralPositions: Bool {
        receivers.count > 1 && receivers.values.lazy.filter { $0.position != nil }.prefix(2).count > 1
    }

    /// Returns what is known of a receiver, or `nil` if it has not been reported.
    public subscript(device: String?) -> ReceiverView? {
        receivers[device].map { ReceiverView($0, state: trackers.state(of: device) ?? .searching(.starting)) }
    }

    /// Whether a device is inside the fence with this name, or `nil` if no position has decided yet.
    ///
    /// - Parameter device: The device of a fleet; other sessions have one position.
    public func isInside(_ fence: String, device: String? = nil) -> Bool? { fences?.isInside(fence, device: device) }

    /// The names of the fences of the session.
    package var fenceNames: [String] { fences?.fences.map(\.name) ?? [] }

    /// Returns the names of the fences that a device has entered and not left, in the order of the entries.
    package func entered(by device: String? = nil) -> [String] { fences?.entered(by: device) ?? [] }

    // MARK: The tracker's changes

    /// Takes over the state of the trackers.
    mutating func moveToState() {
        state = trackers.state
        if case .found = state { found = state }
    }

    /// Takes over the newest figures of a search.
    mutating func followSearch() {
        if case .searching = state, case .searching = trackers.state { state = trackers.state }
    }

    /// Notes what an update reports of its receiver.
    mutating func process(_ update: LocationUpdate) {
        switch update.event {
        case .location:
            receivers[update.event.device, default: ReceiverRecord()].position = update.event
        case .satellites(let sky):
            search.hasHeard = true
            receivers[sky.device, default: ReceiverRecord()].note(sky, update.event)
        case .device(let status): receivers[status.path, default: ReceiverRecord()].status = status
        case .searching, .failure, .receiver, .clock, .authorization, .line, .notice: break
        }
    }

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

    /// Ends the session: no position is current any longer; an error stays.
    mutating func end() {
        if case .error = state { return }
        state = .searching(.starting)
    }
}

/// A failure and its repetitions without anything in between.
public struct FailureRun: Hashable, Sendable {
    /// The error.
    public internal(set) var error: LocationError
    /// The number of attempts that failed.
    public internal(set) var count: Int
    /// The moment of the last one.
    public internal(set) var moment: Moment
}

/// What is known of a receiver.
public struct ReceiverView: Sendable {
    private let record: ReceiverRecord
    /// The state of the receiver.
    public let state: LocationState

    fileprivate init(_ record: ReceiverRecord, state: LocationState) {
        self.record = record
        self.state = state
    }

    /// The last reported position, current or not.
    public var lastLocation: Location? { record.position?.location }
    /// The last report of satellites.
    public var sky: SkyView? { if case .satellites(let sky) = record.sky { sky } else { nil } }
    /// The number of satellites in view, if reported.
    public var seen: Int? { record.seen }
    /// The number of satellites in use, if reported.
    public var used: Int? { record.used }
    /// The dilution of precision, as reported last.
    public var dilution: DilutionOfPrecision { record.dilution }
    /// The last report of the receiver about itself.
    public var status: DeviceStatus? { record.status }
}

/// The latest reports of a receiver; the large ones are kept as events, which are references.
package struct ReceiverRecord: Sendable {
    var position: LocationEvent?
    var sky: LocationEvent?
    /// The number of satellites in view, if reported.
    package var seen: Int?
    /// The number of satellites in use, if reported.
    package var used: Int?
    /// The dilution of precision, as reported last.
    package var dilution = DilutionOfPrecision()
    /// The last report of the receiver about itself.
    @Boxed package var status: DeviceStatus?

    /// Creates the record of a receiver that has not reported anything.
    package init() {}

    /// Notes the satellites; a report without a list and counts leaves the last ones valid.
    mutating func note(_ sky: SkyView, _ event: LocationEvent) {
        self.sky = event
        if let used = sky.used { self.used = used }
        if let seen = sky.seen { self.seen = seen }
        if sky.dilution != DilutionOfPrecision() { dilution = sky.dilution }
    }
}

extension LocationEvent {
    /// Whether the event can only come from a source that answers, and not from an attempt to reach one.
    fileprivate var comesFromReceivers: Bool {
        switch self {
        case .location, .satellites, .receiver, .clock, .device: true
        case .searching(.starting, _), .searching(.connecting, _): false
        case .searching: true
        case .failure, .authorization, .line, .notice: false
        }
    }
}

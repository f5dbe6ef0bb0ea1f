import LocationCore
import GPSDProtocol
import LocwatchSupport

/// The devices of a fleet, which turn the messages of a broker into events: each position once, with late ones marked.
///
/// It has no clock, and processes a message in constant time. The memory for each device is bounded, and so is the number
/// of devices.
struct FleetDevices {
    private struct Device {
        /// The time of the newest position, a retained one included.
        var newest: Timestamp?
        /// The times of the last positions, by which one that comes again is recognized.
        ///
        /// After a connection has broken, a client sends again what was not acknowledged, which is at most 20 messages with
        /// the usual settings.
        var delivered = Ring<Timestamp>(limit: 32)
        var lastFence: FenceEvent?
        var battery: Int?
        /// The numbers of satellites that it has reported last.
        var sky: SkyView?
        /// Whether the broker has said that the device is gone.
        var isOffline = false
    }

    /// The maximum number of devices by default.
    static let limit = ReportTranslator.fleetLimit
    /// The maximum number of devices whose unknown messages are named; those of others are only counted.
    private static let namedLimit = 100
    /// The tolerance for times in the future: positions after one with a later time are not marked as late.
    private static let clockTolerance = Duration.seconds(600)

    private let limit: Int
    private let pattern: NamePattern?
    /// The devices that do not match, until one does or the notice was given.
    private var unmatched: UnmatchedDevices?
    private var devices = PerDevice<Device>()
    private var reader = JSONObjectReader()
    private var named: Set<String> = []
    /// The number of messages that were not understood.
    private(set) var unknownCount = 0
    /// The number of messages of devices beyond the limit.
    private(set) var excessCount = 0

    /// Creates a fleet without devices.
    ///
    /// - Parameters:
    ///   - pattern: A pattern for the names of the devices as in `NamePattern`, or `nil` for all.
    ///   - limit: The maximum number of devices; the messages of others are counted.
    init(matching pattern: String? = nil, limit: Int = Self.limit) {
        self.pattern = pattern.map { NamePattern($0) }
        unmatched = pattern.map { UnmatchedDevices($0) }
        self.limit = limit
    }

    /// The number of devices that have sent an understood message.
    var count: Int { devices.count }

    /// The moment at which `expire` must be called, or `nil` if nothing is due.
    var deadline: Moment? { unmatched?.deadline }

    /// Emits what is due at the deadline: that no device matches the pattern so far.
    mutating func expire(_ emit: (LocationEvent) -> Void) {
        if let notice = unmatched.take()?.notice { emit(.notice(notice)) }
    }

    /// Processes a message, and emits the updates that follow from it.
    mutating func process(_ message: MQTTMessage, at moment: Moment, _ emitUpdate: (LocationUpdate) -> Void) {
        func emit(_ event: LocationEvent) { emitUpdate(LocationUpdate(event, at: moment)) }
        guard message.topic.utf8.count <= FleetTopic.lengthLimit else {
            return noteUnknown("a device", "its topic has more than \(FleetTopic.lengthLimit) bytes", emit)
        }
        let topic = FleetTopic(message.topic)
        if let pattern {
            guard pattern.matches(topic.device) else {
                unmatched?.note(topic.device, at: moment)
                return
            }
            unmatched = nil
        }
        switch FleetMessage(message.payload, on: topic, &reader) {
        case .other: break
        case .unknown(let cause): noteUnknown(topic.device, cause, emit)
        case let understood:
            guard devices.count < limit || devices[topic.device] != nil else { return noteExcess(emit) }
            let place = devices.place(of: topic.device, default: Device())
            process(understood, of: place, on: topic, isRetained: message.isRetained, at: moment, emitUpdate)
        }
    }

    /// Notes a message that is too large to be read.
    mutating func noteOversized(topic: String, size: Int, _ emit: (LocationEvent) -> Void) {
        noteUnknown(FleetTopic(String(topic.prefix(FleetTopic.lengthLimit))).device, "it has \(size) bytes", emit)
    }

    private mutating func process(
        _ message: FleetMessage, of place: Int, on topic: FleetTopic, isRetained: Bool, at moment: Moment,
        _ emitUpdate: (LocationUpdate) -> Void
    ) {
        func emit(_ event: LocationEvent) { emitUpdate(LocationUpdate(event, at: moment)) }
        switch message {
        case .position(let report):
            locate(report, place, isCurrent: !isRetained, at: moment, emitUpdate)
        case .noFix(let report):
            guard isRetained else {
                note(report, place, isCurrent: true, at: moment, emit)
                return emit(
                    .searching(.noFix(seen: report.seen, used: report.used, best: nil), device: topic.device))
            }
            locate(report, place, isCurrent: false, at: moment, emitUpdate)
        case .fence(let report, let name, let kind):
            // A broker that has kept an event delivers it to each new subscriber again.
            guard !isRetained else { return }
            let wall = report.location.timestamp ?? moment.wall
            func event(at elapsed: Duration) -> FenceEvent {
                FenceEvent(
                    fence: name, device: topic.device, kind: kind, moment: Moment(elapsed: elapsed, wall: wall),
                    coordinate: report.location.coordinate)
            }
            // An event that is sent again arrives at another moment.
            guard devices[place: place].lastFence != event(at: .zero) else { return }
            devices[place: place].lastFence = event(at: .zero)
            emit(.notice(.fence(event(at: moment.elapsed))))
            if topic.kind == .positions { locate(report, place, isCurrent: true, at: moment, emitUpdate) }
        case .online:
            guard devices[place: place].isOffline else { return }
            devices[place: place].isOffline = false
            emit(status(of: place, .reporting, at: moment))
        case .offline:
            guard !devices[place: place].isOffline else { return }
            devices[place: place].isOffline = true
            emit(.searching(.deviceLost(path: topic.device), device: topic.device))
        case .other, .unknown: break
        }
    }

    /// Delivers a position unless it was delivered before, with the satellites that its own message has.
    private mutating func locate(
        _ report: FleetReport, _ place: Int, isCurrent: Bool, at moment: Moment, _ emitUpdate: (LocationUpdate) -> Void
    ) {
        func emit(_ event: LocationEvent) { emitUpdate(LocationUpdate(event, at: moment)) }
        var location = report.location
        location.device = devices.device(at: place)
        let newest = devices[place: place].newest
        if let time = location.timestamp {
            if !isCurrent, let newest, time <= newest { return }
            if isCurrent {
                guard !devices[place: place].delivered.contains(time) else { return }
                devices[place: place].delivered.append(time)
            }
            location.isLate = newest.map { time < $0 } ?? false
            if !location.isLate, time.since(moment.wall) <= Self.clockTolerance { devices[place: place].newest = time }
        }
        if !location.isLate { note(report, place, isCurrent: isCurrent, at: moment, emit) }
        location.received = moment.wall
        guard isCurrent else { return emit(.notice(.lastKnown(location))) }
        devices[place: place].isOffline = devices[place: place].isOffline && location.isLate
        var update = LocationUpdate(.location(location), at: moment)
        if let sky = devices[place: place].sky, report.countsEqual(sky) { update.sky = sky }
        emitUpdate(update)
    }

    /// Emits what a message says about its device, if that has changed.
    private mutating func note(
        _ report: FleetReport, _ place: Int, isCurrent: Bool, at moment: Moment, _ emit: (LocationEvent) -> Void
    ) {
        if report.used != nil || report.seen != nil,
            !(devices[place: place].sky.map(report.countsEqual) ?? false)
        {
            let view = SkyView(
                satellites: nil, seen: report.seen, used: report.used, device: devices.device(at: place))
            devices[place: place].sky = view
            emit(.satellites(view))
        }
        if let battery = report.battery, battery != devices[place: place].battery {
            devices[place: place].battery = battery
            emit(status(of: place, isCurrent ? .reporting : .unknown, at: moment))
        }
    }

    private func status(
        of place: Int, _ activity: DeviceStatus.Activity, at moment: Moment
    ) -> LocationEvent {
        let isOffline = devices[place: place].isOffline
        var status = DeviceStatus(path: devices.device(at: place) ?? "", activity: isOffline ? .gone : activity)
        status.battery = devices[place: place].battery
        status.lastHeard = activity == .reporting ? moment.wall : nil
        return .device(status)
    }

    /// Counts a message that is not understood, and names its device once.
    ///
    /// The total is reported when it reaches a power of ten, so that a flood causes few events.
    private mutating func noteUnknown(_ device: String, _ cause: String, _ emit: (LocationEvent) -> Void) {
        unknownCount += 1
        if named.count < Self.namedLimit, named.insert(device).inserted {
            emit(.notice(.unknownMessage(device: device, cause: cause)))
        }
        if unknownCount >= 10, unknownCount.isPowerOfTen {
            emit(.notice(.messagesSkipped(count: unknownCount, cause: "they are not understood")))
        }
    }

    private mutating func noteExcess(_ emit: (LocationEvent) -> Void) {
        excessCount += 1
        if excessCount.isPowerOfTen {
            emit(.notice(.messagesSkipped(count: excessCount, cause: "there are more than \(limit) devices")))
        }
    }
}

extension FleetReport {
    /// Returns whether a view has the numbers of satellites of the report.
    fileprivate func countsEqual(_ sky: SkyView) -> Bool { sky.seen == seen && sky.used == used }
}

extension Int {
    fileprivate var isPowerOfTen: Bool {
        var rest = self
        while rest >= 10, rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}

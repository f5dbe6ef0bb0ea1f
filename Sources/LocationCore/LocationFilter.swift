/// Decides which positions are worth passing on; everything that is not a position passes.
///
/// A value without a clock: the moments of the updates are its time. A later revision of a position that went out passes too,
/// unless it is too coarse or too old, and of one that was held back it is judged anew. Positions of several receivers are
/// judged each against the last one of the same receiver. An interval goes by the positions' own times on a grid, with half
/// a cycle of tolerance, so that a receiver that reports each second loses nothing to an interval of a second.
public struct LocationFilter: Hashable, Sendable {
    private let accuracy: Double?
    private let distance: Double?
    private let interval: Duration?
    private let age: Duration?
    private let device: String?
    private var receivers = PerDevice<Receiver>()

    /// What is known of a receiver: its position that passed last, and the grid on which its positions pass.
    private struct Receiver: Hashable {
        var last: Passed?
        var grid: IntervalGrid?
    }

    private struct Passed: Hashable {
        var coordinate: Coordinate
        var timestamp: Timestamp?
    }

    /// A filter for what a request asks.
    public init(_ request: LocationRequest) {
        accuracy = request.desiredAccuracy
        distance = request.distanceFilter
        interval = request.minimumInterval
        age = request.maximumAge
        device = request.device
    }

    /// Whether nothing is ever held back.
    public var admitsEverything: Bool {
        accuracy == nil && distance == nil && interval == nil && age == nil && device == nil
    }

    /// Whether an update may pass; a position that may becomes the one to which the next is compared.
    public mutating func admits(_ update: LocationUpdate) -> Bool {
        if admitsEverything { return true }
        guard case .location(let location) = update.event else { return true }
        let place = receivers.place(of: location.device, default: Receiver(grid: interval.map { IntervalGrid($0) }))
        let time = IntervalGrid.Time(location, arrival: update.moment.elapsed)
        if location.revision == 0, !location.isLate { receivers[place: place].grid?.note(time) }
        guard isAccurate(location), isFresh(location) else { return false }
        if let last = receivers[place: place].last {
            if isRevision(location, of: last) { return true }
            if let grid = receivers[place: place].grid, !grid.admits(time) { return false }
            if let distance, last.coordinate.distance(to: location.coordinate) < distance { return false }
        }
        receivers[place: place].last = Passed(coordinate: location.coordinate, timestamp: location.timestamp)
        receivers[place: place].grid?.pass(time)
        return true
    }

    /// Whether an event is about the receiver that is asked for, or about none.
    public func concerns(_ event: LocationEvent) -> Bool {
        guard let device, let other = event.device else { return true }
        return device == other
    }

    private func isAccurate(_ location: Location) -> Bool {
        guard let accuracy else { return true }
        guard let reported = location.horizontalAccuracy else { return false }
        return reported <= accuracy
    }

    private func isFresh(_ location: Location) -> Bool {
        guard let age else { return true }
        guard let reported = location.ageWhenReceived else { return false }
        return reported <= age
    }

    private func isRevision(_ location: Location, of passed: Passed) -> Bool {
        location.revision > 0 && location.timestamp != nil && location.timestamp == passed.timestamp
    }
}

extension [LocationFilter] {
    /// Whether an event is about the receiver that each filter asks for, or about none.
    package func concern(_ event: LocationEvent) -> Bool { allSatisfy { $0.concerns(event) } }

    /// Whether every filter lets an update through; asking makes it the last one that went out.
    package mutating func admit(_ update: LocationUpdate) -> Bool {
        for index in indices where !self[index].admits(update) { return false }
        return true
    }
}

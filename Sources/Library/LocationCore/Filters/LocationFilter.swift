import LocwatchSupport

/// A filter for positions; all other events pass.
///
/// It has no clock and uses the moments of the updates. Each position is compared with the last one of the same receiver. An interval applies to the positions' own times on a grid, with half a
/// cycle of tolerance, so that a receiver that reports once a second loses nothing to an interval of one second.
package struct LocationFilter: Hashable, Sendable {
    private let accuracy: Double?
    private let distance: Double?
    private let interval: Duration?
    let age: Duration?
    private let fix: FixKind?
    private let device: NamePattern?
    private var receivers = PerDevice<Receiver>()

    /// The last admitted position of a receiver, and the grid of the interval.
    private struct Receiver: Hashable {
        var last: Coordinate?
        var grid: IntervalGrid?
    }

    /// Creates a filter with the criteria of a request.
    ///
    /// Of a request for one position only the receiver counts: the best position that was not good enough is part of the error.
    package init(_ request: LocationRequest) {
        let request = request.purpose == .once ? LocationRequest(device: request.device) : request
        accuracy = request.accuracy
        distance = request.distanceFilter
        interval = request.minimumInterval
        age = request.maxAge
        fix = request.fix
        device = request.device.map { NamePattern($0) }
    }

    package var admitsEverything: Bool {
        accuracy == nil && distance == nil && interval == nil && age == nil && fix == nil && device == nil
    }

    /// Returns whether an update passes; a position that passes becomes the one with which the next is compared.
    package mutating func admits(_ update: LocationUpdate) -> Bool {
        if admitsEverything { return true }
        guard case .location(let location) = update.event else { return true }
        let place = receivers.place(of: location.device, default: Receiver(grid: interval.map { IntervalGrid($0) }))
        let time = IntervalGrid.Time(location.timestamp, arrival: update.moment.elapsed)
        if !location.isLate { receivers[place: place].grid?.note(time) }
        guard isMet(by: location) else { return false }
        if let last = receivers[place: place].last {
            if let grid = receivers[place: place].grid, !grid.admits(time) { return false }
            if let distance, last.distance(to: location.coordinate) < distance { return false }
        }
        receivers[place: place].last = location.coordinate
        receivers[place: place].grid?.pass(time)
        return true
    }

    /// Returns whether an event concerns the requested receiver, or no particular one.
    package func concerns(_ event: LocationEvent) -> Bool {
        guard let device, let other = event.device else { return true }
        return device.matches(other)
    }

    /// Returns whether a position has the accuracy, the age and the dimensions that the request demands.
    package func isMet(by location: Location) -> Bool {
        location.fix >= fix ?? .twoD && isAccurate(location) && isFresh(location)
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
}

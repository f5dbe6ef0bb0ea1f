import LocwatchSupport

/// A filter for positions; all other events pass.
///
/// It has no clock and uses the moments of the updates. Each position is compared with the last one of the same receiver; an
/// interval applies as `IntervalGrid` says.
package struct LocationFilter: Hashable, Sendable {
    /// The criteria of the request, without the rest of it.
    private let criteria: LocationRequest
    package let admitsEverything: Bool
    /// Whether the request limits the age of positions, also a request for one position.
    let limitsAge: Bool
    private let device: NamePattern?
    private var receivers = PerDevice<LastPosition>()

    /// The last admitted position of a receiver, and the grid of the interval.
    private struct LastPosition: Hashable {
        var last: Coordinate?
        var grid: IntervalGrid?
    }

    /// Creates a filter with the criteria of a request.
    ///
    /// Of a request for one position only the receiver counts: the best position that was not good enough is part of the error.
    package init(_ request: LocationRequest) {
        criteria =
            request.purpose == .once
            ? LocationRequest(device: request.device)
            : LocationRequest(
                accuracy: request.accuracy, distanceFilter: request.distanceFilter,
                minimumInterval: request.minimumInterval, maxAge: request.maxAge, fix: request.fix,
                device: request.device)
        admitsEverything = criteria == .everything
        limitsAge = request.maxAge != nil
        device = criteria.device.map { NamePattern($0) }
    }

    /// Returns whether an update passes; a position that passes becomes the one with which the next is compared.
    package mutating func admits(_ update: LocationUpdate) -> Bool {
        guard judge(update) else { return false }
        pass(update)
        return true
    }

    /// Returns whether an update passes, without comparing the next position with it.
    mutating func judge(_ update: LocationUpdate) -> Bool {
        if admitsEverything { return true }
        guard case .location(let location) = update.event else { return true }
        let place = receivers.place(
            of: location.device, default: LastPosition(grid: criteria.minimumInterval.map { IntervalGrid($0) }))
        let time = IntervalGrid.Time(location.timestamp, arrival: update.moment.elapsed)
        if !location.isLate { receivers[place: place].grid?.note(time) }
        guard isMet(by: location) else { return false }
        guard let last = receivers[place: place].last else { return true }
        if let grid = receivers[place: place].grid, !grid.admits(time) { return false }
        if let least = criteria.distanceFilter, last.distance(to: location.coordinate) < least { return false }
        return true
    }

    /// Makes the position of an update, which the filter has judged, the one with which the next is compared.
    mutating func pass(_ update: LocationUpdate) {
        guard !admitsEverything, case .location(let location) = update.event,
            let place = receivers.index(of: location.device)
        else { return }
        receivers[place: place].last = location.coordinate
        receivers[place: place].grid?.pass(IntervalGrid.Time(location.timestamp, arrival: update.moment.elapsed))
    }

    /// Returns whether an event concerns the requested receiver, or no particular one.
    package func concerns(_ event: LocationEvent) -> Bool {
        guard let device, let other = event.device else { return true }
        return device.matches(other)
    }

    /// Returns whether a position has the accuracy, the age and the dimensions that the request demands.
    package func isMet(by location: Location) -> Bool {
        if location.fix < criteria.fix ?? .twoD { return false }
        if let accuracy = criteria.accuracy {
            guard let reported = location.horizontalAccuracy, reported <= accuracy else { return false }
        }
        if let age = criteria.maxAge {
            guard let reported = location.ageWhenReceived, reported <= age else { return false }
        }
        return true
    }
}

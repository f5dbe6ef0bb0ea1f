// The messages of a coordinator's tasks, and what they change.

extension LocationCoordinator.Message {
    /// The position to pass to the callbacks, if any.
    var location: Location? {
        switch self {
        case .location(let location): return location
        case .tracked(.update(let update, .current), _, _):
            if case .location(let location) = update.event { return location }
            return nil
        default: return nil
        }
    }
}

extension LocationCoordinator.Content {
    /// Returns whether another task has passed on the same position since a task began, and otherwise notes the position.
    ///
    /// A request and the session that is followed receive the same report, at slightly different times.
    mutating func isRepeated(_ location: Location, _ number: Int) -> Bool {
        let isRepeated = delivered.contains { earlier in
            var same = earlier.location
            same.received = location.received
            return earlier.task != number && number <= earlier.latest && same == location
        }
        if !isRepeated, tasks.count > 1 {
            delivered = Array(delivered.suffix(3))
            delivered.append(LocationCoordinator.Delivered(location: location, task: number, latest: lastTask))
        }
        return isRepeated
    }

    /// Applies a message of a task before the callbacks are called for it.
    ///
    /// The end of the session comes first, so that a callback that reports it can start another one.
    mutating func apply(_ message: LocationCoordinator.Message, _ number: Int) {
        switch message {
        case .tracked(let update, let view, let isLast):
            if case .update(let update, _) = update, case .authorization(let status) = update.event {
                authorization = status
            }
            if latest == number {
                self.view = view
                lastLocation = view.lastLocation ?? lastLocation
            }
            if isLast, following == number { following = nil }
        case .end:
            if following == number { following = nil }
            if latest == number { view.end() }
        case .authorization(let status): authorization = status
        case .location, .failure, .completion: break
        }
    }
}

extension LocationRequest {
    /// The request without what only filters positions.
    var sessionPart: LocationRequest {
        var request = self
        request.accuracy = nil
        request.distanceFilter = nil
        request.minimumInterval = nil
        request.maxAge = nil
        request.fix = nil
        return request
    }
}

import LocwatchSupport

/// A provider that changes or drops events of another provider, in its sessions and on their clocks.
struct MappedProvider: LocationProvider {
    let base: any LocationProvider
    /// Returns what takes the place of an event, if anything.
    let change: @Sendable (LocationEvent) -> LocationEvent?

    func updates(for request: LocationRequest) -> LocationUpdates {
        base.updates(for: request).changed(by: change, for: request)
    }
}

extension LocationUpdates {
    /// Returns these events with changes, before the filter of the request and after all other filters so far.
    fileprivate func changed(
        by change: @escaping @Sendable (LocationEvent) -> LocationEvent?, for request: LocationRequest
    ) -> LocationUpdates {
        let (before, after) = filters.divided(in: request)
        return replacingFilters(by: after).passed { _ in
            let filters = Lock(EarlierFilters(before))
            return SessionOperator { update in
                // A position that a filter has rejected counts for the state, as without a change.
                if update.rejection != nil { return update }
                let judged = filters.withLock { $0.judged(update) }
                guard var update = judged, update.rejection == nil else { return judged }
                guard let event = change(update.event) else { return nil }
                update.event = event
                if update.subject != nil { update.subject = event.device }
                return update
            } admit: {
                filters.withLock { $0.admit() }
            }
        }
    }
}

/// The filters before an operator, which judge positions as they are before their change.
private struct EarlierFilters: Sendable {
    private var filters: SessionFilters
    /// The last position that they admitted, until it is known whether the filters after the operator admit it too.
    private var last: LocationUpdate?

    init(_ filters: SessionFilters) { self.filters = filters }

    /// Returns an update with the judgement of the filters, or `nil` if it concerns another receiver than they demand.
    mutating func judged(_ update: LocationUpdate) -> LocationUpdate? {
        last = nil
        guard filters.concern(update.event) else { return nil }
        guard case .location(let location) = update.event else { return update }
        var update = update
        if !filters.areMet(by: location, of: update) {
            update.rejection = .unsuitable
        } else if filters.judge(update) != .admitted {
            update.rejection = .redundant
        } else {
            last = update
        }
        return update
    }

    /// Makes the last position, which all filters have admitted, the one with which the next is compared.
    mutating func admit() {
        if let update = last.take() { filters.pass(update) }
    }
}

extension LocationProvider {
    /// Returns this provider with each position changed by a closure.
    ///
    /// Sessions keep their clock, their moments and their satellites, so that limits and states are those of the provider. Filters
    /// before the operator see the positions of the provider; filters after it, and the request of a session, see the changed ones.
    ///
    /// ```swift
    /// // A map that shows only the area.
    /// let coarse = provider.mapLocations { location in
    ///     var location = location
    ///     location.coordinate.latitude = (location.coordinate.latitude * 100).rounded() / 100
    ///     location.coordinate.longitude = (location.coordinate.longitude * 100).rounded() / 100
    ///     return location
    /// }
    /// ```
    public func mapLocations(_ change: @escaping @Sendable (Location) -> Location) -> some LocationProvider {
        compactMapLocations { change($0) }
    }

    /// Returns this provider with each position changed by a closure, or dropped where it returns `nil`.
    ///
    /// A position that is dropped has no effect: if no other one follows, the last one becomes stale. To withhold positions without
    /// that, use `filtered(by:)`.
    public func compactMapLocations(
        _ change: @escaping @Sendable (Location) -> Location?
    ) -> some LocationProvider {
        compactMapEvents { event in
            guard case .location(let location) = event else { return event }
            return change(location).map { .location($0) }
        }
    }

    /// Returns this provider with each event changed by a closure; see `mapLocations(_:)`.
    public func mapEvents(_ change: @escaping @Sendable (LocationEvent) -> LocationEvent) -> some LocationProvider {
        compactMapEvents { change($0) }
    }

    /// Returns this provider with each event changed by a closure, or dropped where it returns `nil`; see `mapLocations(_:)`.
    public func compactMapEvents(
        _ change: @escaping @Sendable (LocationEvent) -> LocationEvent?
    ) -> some LocationProvider {
        MappedProvider(base: self, change: change)
    }
}

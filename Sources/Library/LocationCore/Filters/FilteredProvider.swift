/// A provider that withholds the positions of another provider that a filter rejects.
///
/// States are derived before the filters apply, so standing still behind a distance filter does not count as silence.
struct FilteredProvider: LocationProvider {
    let base: any LocationProvider
    let request: LocationRequest

    func updates(for request: LocationRequest) -> LocationUpdates {
        base.updates(for: request).filtered(by: self.request)
    }
}

extension LocationProvider {
    /// Returns this provider without the positions that do not meet `request`.
    ///
    /// Several filters, with that of the request of a session, are one: a distance and an interval count from the last position that all
    /// of them admitted, in whatever order they were applied. Those before `mapLocations(_:)` judge positions before the change.
    public func filtered(by request: LocationRequest) -> some LocationProvider {
        FilteredProvider(base: self, request: request)
    }

    /// Returns this provider with only the positions at least the given number of metres away from the previous one.
    public func moved(by metres: Double) -> some LocationProvider {
        filtered(by: LocationRequest(distanceFilter: metres))
    }

    /// Returns this provider with at most one position per interval.
    public func atMostEvery(_ interval: Duration) -> some LocationProvider {
        filtered(by: LocationRequest(minimumInterval: interval))
    }
}

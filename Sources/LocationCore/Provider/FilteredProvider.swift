/// A provider that passes on the events of another one except the positions that a filter rejects.
///
/// States are determined before filtering, so that a position rejected by a distance filter still counts as a report.
public struct FilteredProvider<Base: LocationProvider>: LocationProvider {
    private let base: Base
    private let request: LocationRequest

    fileprivate init(_ base: Base, _ request: LocationRequest) {
        self.base = base
        self.request = request
    }

    /// Returns the other provider's events, filtered.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        base.updates(for: request).filtered(by: LocationFilter(self.request))
    }
}

extension LocationProvider {
    /// Returns this provider without the positions that `request` filters out; its other properties are ignored.
    public func filtered(by request: LocationRequest) -> FilteredProvider<Self> {
        FilteredProvider(self, request)
    }

    /// Returns this provider with only positions of at least the given accuracy, in metres.
    public func accurate(to metres: Double) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(desiredAccuracy: metres))
    }

    /// Returns this provider with a position only when it is at least the given distance from the last one, in metres.
    public func moved(by metres: Double) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(distanceFilter: metres))
    }

    /// Returns this provider with at most one position per interval.
    public func atMostEvery(_ interval: Duration) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(minimumInterval: interval))
    }

    /// Returns this provider with only positions that were at most the given age when they arrived.
    public func noOlder(than age: Duration) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(maximumAge: age))
    }
}

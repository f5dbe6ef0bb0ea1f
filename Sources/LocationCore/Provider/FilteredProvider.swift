/// A provider that passes on another one's events without the positions that a filter holds back.
///
/// States are judged before the filters: standing still behind a distance filter is no silence.
public struct FilteredProvider<Base: LocationProvider>: LocationProvider {
    private let base: Base
    private let request: LocationRequest

    fileprivate init(_ base: Base, _ request: LocationRequest) {
        self.base = base
        self.request = request
    }

    /// The other provider's events, filtered.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        base.updates(for: request).filtered(by: LocationFilter(self.request))
    }
}

extension LocationProvider {
    /// This provider without the positions that `request` does not ask for; what `request` is for does not matter.
    public func filtered(by request: LocationRequest) -> FilteredProvider<Self> {
        FilteredProvider(self, request)
    }

    /// This provider with only positions at least so accurate, in metres.
    public func accurate(to metres: Double) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(desiredAccuracy: metres))
    }

    /// This provider with a position only when it lies at least so far from the last one, in metres.
    public func moved(by metres: Double) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(distanceFilter: metres))
    }

    /// This provider with a position at most so often.
    public func atMostEvery(_ interval: Duration) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(minimumInterval: interval))
    }

    /// This provider with only positions that were at most so old when they arrived.
    public func noOlder(than age: Duration) -> FilteredProvider<Self> {
        filtered(by: LocationRequest(maximumAge: age))
    }
}

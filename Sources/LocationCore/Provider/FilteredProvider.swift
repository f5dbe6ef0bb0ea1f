/// A provider that withholds the positions of another provider that a filter rejects.
///
/// States are derived before the filters apply, so standing still behind a distance filter does not count as silence.
public struct FilteredProvider: LocationProvider {
    private let base: any LocationProvider
    private let request: LocationRequest

    fileprivate init(_ base: any LocationProvider, _ request: LocationRequest) {
        self.base = base
        self.request = request
    }

    /// Returns the filtered events of one session of the other provider.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        base.updates(for: request).filtered(by: LocationFilter(self.request))
    }
}

extension LocationProvider {
    /// Returns this provider without the positions that do not meet `request`; the purpose of `request` is ignored.
    public func filtered(by request: LocationRequest) -> FilteredProvider {
        FilteredProvider(self, request)
    }

    /// Returns this provider with only the positions that are accurate to the given number of metres or better.
    public func accurate(to metres: Double) -> FilteredProvider {
        filtered(by: LocationRequest(desiredAccuracy: metres))
    }

    /// Returns this provider with only the positions at least the given number of metres away from the previous one.
    public func moved(by metres: Double) -> FilteredProvider {
        filtered(by: LocationRequest(distanceFilter: metres))
    }

    /// Returns this provider with at most one position per interval.
    public func atMostEvery(_ interval: Duration) -> FilteredProvider {
        filtered(by: LocationRequest(minimumInterval: interval))
    }

    /// Returns this provider with only the positions that were at most the given age when they arrived.
    public func noOlder(than age: Duration) -> FilteredProvider {
        filtered(by: LocationRequest(maximumAge: age))
    }
}

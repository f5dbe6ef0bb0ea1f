extension LocationProvider {
    /// Returns this provider with one position per epoch.
    ///
    /// gpsd reports an epoch in parts, mostly at the start of a session. This provider emits a position when a report
    /// has every field that the device's previous epoch had, when the next epoch begins, or 300 ms after the first
    /// report. The position is the newest report of the epoch at that moment, which has the fields of those before it; a report of
    /// the same epoch that comes afterwards is dropped, and the next epochs wait for what it would have added. In the steady state nothing is delayed. The devices of a fleet report each position in one message, so the
    /// events of a fleet remain the same.
    public func settled() -> some LocationProvider { SettledProvider(base: self) }
}

/// A provider that reduces the reports of each epoch of another provider to one position.
struct SettledProvider: LocationProvider {
    fileprivate let base: any LocationProvider

    /// Returns the other provider's events with one position per epoch.
    func updates(for request: LocationRequest) -> LocationUpdates { base.updates(for: request).settled() }
}

/// An object that a `LocationCoordinator` notifies, beside its callbacks.
///
/// Every method has a default implementation that does nothing. The methods run where the callbacks run.
public protocol LocationCoordinatorDelegate: AnyObject, Sendable {
    /// Tells the delegate about a position.
    func coordinator(_ coordinator: LocationCoordinator, didUpdate location: Location)
    /// Tells the delegate about a failure, whether the provider keeps trying or not.
    func coordinator(_ coordinator: LocationCoordinator, didFailWith error: LocationError)
    /// Tells the delegate about a change of state.
    func coordinator(_ coordinator: LocationCoordinator, didChangeState transition: StateChange)
    /// Tells the delegate about an event at a fence.
    func coordinator(_ coordinator: LocationCoordinator, didReceive event: FenceEvent)
    /// Tells the delegate whether positions may be read.
    func coordinator(_ coordinator: LocationCoordinator, didChangeAuthorization status: AuthorizationStatus)
}

extension LocationCoordinatorDelegate {
    /// Does nothing.
    public func coordinator(_ coordinator: LocationCoordinator, didUpdate location: Location) {}
    /// Does nothing.
    public func coordinator(_ coordinator: LocationCoordinator, didFailWith error: LocationError) {}
    /// Does nothing.
    public func coordinator(_ coordinator: LocationCoordinator, didChangeState transition: StateChange) {}
    /// Does nothing.
    public func coordinator(_ coordinator: LocationCoordinator, didReceive event: FenceEvent) {}
    /// Does nothing.
    public func coordinator(_ coordinator: LocationCoordinator, didChangeAuthorization status: AuthorizationStatus) {}
}

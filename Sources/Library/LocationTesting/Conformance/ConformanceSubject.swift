public import LocationCore

/// A provider to be checked, and the closures with which a check controls it.
///
/// A closure that a provider cannot offer is `nil`, as is the clock of a provider that has no other than the system's. Exclude the rules that need it; see
/// `LocationProviderConformance.checks(leavingOut:)`.
public struct ConformanceSubject: Sendable {
    /// The provider.
    public var provider: any LocationProvider
    /// Makes every running session emit at least one event; each further call produces a further event.
    ///
    /// One of them is a position or the authorization, in a session that asks for the authorization too. It is called only while
    /// a session runs, if `runningSessions` counts them. An error that it throws fails the check as it is.
    public var emit: @Sendable () async throws -> Void
    /// Ends the running sessions as the provider does when it has no more events.
    public var end: (@Sendable () async throws -> Void)?
    /// Fails the running sessions as the provider does on a fatal error, and returns the error that it throws.
    public var fail: (@Sendable () async throws -> LocationError)?
    /// Returns the number of running sessions, counted by the resources they hold: connections, threads, open files.
    public var runningSessions: (@Sendable () async -> Int)?

    /// The clock of the provider, and of the provider under it if it is an operator.
    public var clock: ManualClock?

    /// Creates a subject.
    public init(
        _ provider: some LocationProvider, emit: @escaping @Sendable () async throws -> Void,
        end: (@Sendable () async throws -> Void)? = nil,
        fail: (@Sendable () async throws -> LocationError)? = nil,
        runningSessions: (@Sendable () async -> Int)? = nil, clock: ManualClock? = nil
    ) {
        self.provider = provider
        self.emit = emit
        self.end = end
        self.fail = fail
        self.runningSessions = runningSessions
        self.clock = clock
    }
}

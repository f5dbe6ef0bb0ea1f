public import LocationCore

/// A provider to be checked, and the strings by which a check pulls it.
///
/// A string that a provider does not have is `nil`; leave the rules that need it out by name, see
/// `LocationProviderConformance.checks(leavingOut:)`.
public struct ConformanceSubject: Sendable {
    /// The provider.
    public var provider: any LocationProvider
    /// Makes every running session tell at least one event; called once more for each further event.
    public var tell: @Sendable () async throws -> Void
    /// Ends the running sessions as the provider does when nothing more will come.
    public var end: (@Sendable () async throws -> Void)?
    /// Ends the running sessions as the provider does when it cannot go on, with the error that it throws then.
    public var fail: (@Sendable () async throws -> LocationError)?
    /// How many sessions run now, by what they hold: connections, threads, open files.
    public var runningSessions: (@Sendable () async -> Int)?

    /// A provider to be checked.
    public init(
        _ provider: some LocationProvider, tell: @escaping @Sendable () async throws -> Void,
        end: (@Sendable () async throws -> Void)? = nil,
        fail: (@Sendable () async throws -> LocationError)? = nil,
        runningSessions: (@Sendable () async -> Int)? = nil
    ) {
        self.provider = provider
        self.tell = tell
        self.end = end
        self.fail = fail
        self.runningSessions = runningSessions
    }
}

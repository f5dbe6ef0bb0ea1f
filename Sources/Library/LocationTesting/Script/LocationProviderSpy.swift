public import LocationCore
import LocwatchSupport

/// A provider that passes on the events of another provider and records the calls that it receives.
///
/// ```swift
/// let spy = LocationProviderSpy(ReplayProvider(.path("drive.json")))
/// let model = Model(provider: spy)
/// model.start()
/// try await spy.untilCalled(.started(.everything))
/// ```
public final class LocationProviderSpy: LocationProvider {
    private struct SpyContent: Sendable {
        var calls: [SourceCall] = []
        var updates: [LocationUpdate] = []
        var running = 0
    }

    private let base: any LocationProvider
    private let content: Watched<SpyContent>

    /// Creates a spy around a provider.
    public init(_ base: some LocationProvider) {
        self.base = base
        content = Watched(SpyContent())
    }

    /// The calls received so far, in order.
    public var calls: [SourceCall] { content.value.calls }

    /// The updates that were passed on so far, of all sessions.
    public var updates: [LocationUpdate] { content.value.updates }

    /// The number of running sessions.
    public var runningSessions: Int { content.value.running }

    /// Returns updates whose iteration starts a session of the other provider.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let content = content
        return base.updates(for: request).passed { _ in
            content.change { content in
                content.calls.append(SourceCall(request))
                content.running += 1
            }
            return SessionOperator { update in
                content.change { $0.updates.append(update) }
                return update
            } end: {
                content.change { content in
                    content.calls.append(.stopped)
                    content.running -= 1
                }
            }
        }
    }

    /// Waits until the spy has received a call, for at most `limit`.
    public func untilCalled(
        _ call: SourceCall, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        try await content.wait(
            for: "the call \(call)", within: limit, at: CallSite(fileID: fileID, line: line),
            nothing: "the spy received no calls", until: { $0.calls.contains(call) }
        ) { $0.calls.map { "\($0)" } }
    }

    /// Waits until the spy has received a call that a closure accepts, for at most `limit`, and returns the first such call.
    ///
    /// Use it to look at what a test is about, and not at the defaults of a whole request:
    ///
    /// ```swift
    /// try await spy.untilCalled("a request for 20 m") { $0.request?.accuracy == 20 }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A description of the call for the error.
    ///   - limit: The longest time to wait.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    ///   - condition: Returns whether a call is the awaited one.
    @discardableResult
    public func untilCalled(
        _ name: String = "an accepted call", within limit: Duration = .seconds(10), fileID: String = #fileID,
        line: Int = #line, where condition: @escaping @Sendable (SourceCall) -> Bool
    ) async throws(ExpectationFailure) -> SourceCall {
        try await content.wait(
            for: name, within: limit, at: CallSite(fileID: fileID, line: line),
            nothing: "the spy received no calls", until: { $0.calls.contains(where: condition) }
        ) { $0.calls.map { "\($0)" } }
        // Calls are only added, so the one that ended the wait is there.
        return calls.first(where: condition) ?? .stopped
    }
}

public import LocationCore

/// Plays a recorded session of gpsd's JSON: locwatch's own, or what `gpspipe -w` wrote, with time stamps or without.
///
/// The moments are the recording's whatever the pace is, so that every pace gives the same events and transitions. The
/// file is read as it is played: a recording of any size takes the same memory.
public struct ReplayProvider: LocationProvider {
    private let source: RecordingSource
    private let pace: ReplayPace
    private let startTimer: @Sendable () -> ReplayTimer

    /// A provider that plays a recording anew for each session; a descriptor can be played once.
    public init<C: Clock>(_ source: RecordingSource, pace: ReplayPace = .recorded, clock: C)
    where C.Duration == Duration {
        self.source = source
        self.pace = pace
        startTimer = { ReplayTimer(clock) }
    }

    /// A provider that plays a recording anew for each session, in real time.
    public init(_ source: RecordingSource, pace: ReplayPace = .recorded) {
        self.init(source, pace: pace, clock: ContinuousClock())
    }

    /// The events of the recording.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) {
            ReplaySession(source, pace: pace, startTimer: startTimer)
        }
    }
}

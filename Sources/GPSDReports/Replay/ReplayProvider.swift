public import LocationCore

/// Plays a recorded session of gpsd's JSON: locwatch's own, or what `gpspipe -w` wrote, with time stamps or without.
///
/// The moments are the recording's at every pace, so that every pace gives the same events and transitions. The file is
/// read as it is played: a recording of any size takes the same memory.
public struct ReplayProvider: LocationProvider {
    private let source: RecordingSource
    private let pace: ReplayPace
    private let startTimer: @Sendable () -> ReplayTimer
    private let clock: SessionClock?

    /// A provider that plays a recording anew for each session; a descriptor can be played once.
    public init<C: Clock>(_ source: RecordingSource, pace: ReplayPace = .recorded, clock: C)
    where C.Duration == Duration {
        self.source = source
        self.pace = pace
        self.clock = nil
        startTimer = { ReplayTimer(clock) }
    }

    /// A provider that plays a recording anew for each session, in real time.
    public init(_ source: RecordingSource, pace: ReplayPace = .recorded) {
        self.init(source, pace: pace, options: SessionOptions())
    }

    /// A provider with options, whose sessions can be polled if the options have a clock.
    package init(_ source: RecordingSource, pace: ReplayPace, options: SessionOptions) {
        self.source = source
        self.pace = pace
        clock = options.clock
        startTimer = { ReplayTimer(ContinuousClock()) }
    }

    /// The events of the recording.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let (source, pace, includesLines) = (source, pace, request.includesLines)
        var polled: (@Sendable () -> any PolledSession)?
        if let clock {
            polled = { PolledReplay(source, pace: pace, includesLines: includesLines, clock: clock) }
        }
        return LocationUpdates(for: request, polled: polled) { [startTimer] in
            ReplaySession(source, pace: pace, includesLines: includesLines, startTimer: startTimer)
        }
    }
}

/// The time for which a recording has been playing, and waits for it.
struct ReplayTimer: Sendable {
    /// How long it has been playing.
    let elapsed: @Sendable () -> Duration
    /// Waits until it has been playing so long; counted from the start, so that a clock that moves meanwhile is not waited
    /// for twice.
    let wait: @Sendable (Duration) async throws -> Void

    /// A timer that starts now.
    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}

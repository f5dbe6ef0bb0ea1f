public import LocationCore

/// A provider that plays a recorded session of gpsd's JSON, written by locwatch or `gpspipe -w`, with or without time
/// stamps.
///
/// The moments are the recording's at every pace, so every pace gives the same events and transitions. The file is read
/// during playback, so a recording of any size takes the same memory.
public struct ReplayProvider: LocationProvider {
    private let source: RecordingSource
    private let pace: ReplayPace
    private let startTimer: @Sendable () -> ReplayTimer
    private let clock: SessionClock?
    private let recognizer: RecordingRecognizer?

    /// Creates a provider that plays the recording from the beginning for each session; a descriptor can be played
    /// once.
    public init<C: Clock>(_ source: RecordingSource, pace: ReplayPace = .recorded, clock: C)
    where C.Duration == Duration {
        self.source = source
        self.pace = pace
        self.clock = nil
        recognizer = nil
        startTimer = { ReplayTimer(clock) }
    }

    /// Creates a provider that plays the recording from the beginning for each session, in real time.
    public init(_ source: RecordingSource, pace: ReplayPace = .recorded) {
        self.init(source, pace: pace, options: SessionOptions())
    }

    /// Creates a provider with options, whose sessions can be polled if the options have a clock.
    ///
    /// - Parameter recognizer: The recognizer of files of other formats, if they are read too.
    package init(
        _ source: RecordingSource, pace: ReplayPace, options: SessionOptions, recognizer: RecordingRecognizer? = nil
    ) {
        self.source = source
        self.pace = pace
        clock = options.clock
        self.recognizer = recognizer
        startTimer = { ReplayTimer(ContinuousClock()) }
    }

    /// Returns the updates of the recording.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let (source, pace, recognizer, includesLines) = (source, pace, recognizer, request.includesLines)
        var polled: (@Sendable () -> any PolledSession)?
        if let clock {
            polled = {
                PolledReplay(
                    source, pace: pace, recognizer: recognizer, includesLines: includesLines, clock: clock)
            }
        }
        let updates = LocationUpdates(for: request, polled: polled) { [startTimer] in
            ReplaySession(
                source, pace: pace, recognizer: recognizer, includesLines: includesLines, startTimer: startTimer)
        }
        return source.isFleet ? updates.ofFleet() : updates
    }
}

/// A timer for the playing time of a recording.
struct ReplayTimer: Sendable {
    /// The time since playback began.
    let elapsed: @Sendable () -> Duration
    /// Waits until a playing time, counted from the start: time that passes before the call is not waited for again.
    let wait: @Sendable (Duration) async throws -> Void

    /// Creates a timer that starts now.
    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}

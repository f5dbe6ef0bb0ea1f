public import LocationCore

/// A provider that plays a recorded session: gpsd's JSON, written by locwatch or `gpspipe -w`, with or without time
/// stamps, or the raw log of a receiver.
///
/// The first bytes of a file or a descriptor decide. A log that is not JSON is decoded by gpsd's own `gpsdecode`, from
/// Debian's package gpsd-clients; files of gzip, xz and zstd are decompressed by the programs of those names. If a
/// program is missing, the session ends with `LocationError.programMissing(name:package:)`. Bytes in memory must be JSON.
///
/// The moments are the recording's at every pace, so every pace gives the same events and transitions. The file is read
/// during playback, so a recording of any size takes the same memory.
public struct ReplayProvider: LocationProvider {
    private let source: RecordingSource
    private let pace: ReplayPace
    private let reading: InputReading
    private let startTimer: @Sendable () -> ReplayTimer
    private let clock: SessionClock?

    /// Creates a provider that plays the recording from the beginning for each session; a descriptor can be played
    /// once.
    public init<C: Clock>(_ source: RecordingSource, pace: ReplayPace = .recorded, clock: C)
    where C.Duration == Duration {
        self.source = source
        self.pace = pace
        reading = InputReading()
        self.clock = nil
        startTimer = { ReplayTimer(clock) }
    }

    /// Creates a provider that plays the recording from the beginning for each session, in real time.
    public init(_ source: RecordingSource, pace: ReplayPace = .recorded) {
        self.init(source, pace: pace, options: SessionOptions())
    }

    /// Creates a provider with options, whose sessions can be polled if the options have a clock.
    package init(
        _ source: RecordingSource, pace: ReplayPace, reading: InputReading = InputReading(), options: SessionOptions
    ) {
        self.source = source
        self.pace = pace
        self.reading = reading
        clock = options.clock
        startTimer = { ReplayTimer(ContinuousClock()) }
    }

    /// Returns the updates of the recording.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let (source, pace, reading, includesLines) = (source, pace, reading, request.includesLines)
        var polled: (@Sendable () -> any PolledSession)?
        if let clock {
            polled = {
                PolledReplay(source, pace: pace, reading: reading, includesLines: includesLines, clock: clock)
            }
        }
        let updates = LocationUpdates(for: request, polled: polled) { [startTimer] in
            ReplaySession(
                source, pace: pace, reading: reading, includesLines: includesLines, startTimer: startTimer)
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

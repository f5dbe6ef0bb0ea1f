public import LocationCore
import LocwatchPlatform

/// A provider that plays a recorded session: gpsd's JSON, written by locwatch or `gpspipe -w`, with or without time
/// stamps.
///
/// Files of gzip, xz and zstd are decompressed by the programs of those names. If a program is missing, the session ends with
/// `LocationError.programMissing(name:package:)`. At the raw log of a receiver, which `RawLogSource` of LocationGPSD plays, it ends with
/// an error of the code `rawLog`; the first 64 KiB of a file or a descriptor decide.
///
/// The moments are the recording's at every pace, so every pace gives the same events and transitions. The file is read
/// during playback, so a recording of any size takes the same memory.
public struct ReplayProvider: LocationProvider {
    private let source: RecordingSource
    private let pace: ReplayPace
    private let reading: InputReading
    private let startClock: @Sendable () -> SessionClock
    /// Whether a loop can drive a source itself, because its clock is the system's.
    private let isDetachable: Bool

    /// Creates a provider that plays the recording from the beginning for each session; a descriptor can be played
    /// once.
    public init<C: Clock>(_ source: RecordingSource, pace: ReplayPace = .recorded, clock: C)
    where C.Duration == Duration {
        self.init(source, pace: pace, reading: InputReading(), clock: clock)
    }

    /// Creates a provider that reads the file in another way, on a clock.
    package init<C: Clock>(_ source: RecordingSource, pace: ReplayPace, reading: InputReading, clock: C)
    where C.Duration == Duration {
        self.source = source
        self.pace = pace
        self.reading = reading
        startClock = { SessionClock(clock, startingAt: Timestamp(nanosecondsSince1970: 0)) }
        isDetachable = false
    }

    /// Creates a provider that plays the recording from the beginning for each session, in real time.
    public init(_ source: RecordingSource, pace: ReplayPace = .recorded) {
        self.init(source, pace: pace, options: SessionOptions())
    }

    package init(
        _ source: RecordingSource, pace: ReplayPace, reading: InputReading = InputReading(), options: SessionOptions
    ) {
        self.source = source
        self.pace = pace
        self.reading = reading
        startClock = options.startClock
        isDetachable = true
    }

    /// Returns the updates of the recording.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        let (source, includesLines) = (source, request.includesLines)
        return LocationUpdates(for: request, on: startClock, .waits, isDetachable: isDetachable) {
            [pace, reading] clock in
            ReplaySource(source, pace: pace, reading: reading, includesLines: includesLines, clock: clock)
        } orThrow: { [name = source.name] failure in
            .unreadable(name, failure.code)
        }
    }
}

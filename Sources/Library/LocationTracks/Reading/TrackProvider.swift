public import LocationCore
public import GPSDProtocol

/// A provider that plays a track of any program: GPX, KML, GeoJSON, TCX, IGC or CSV.
///
/// ```swift
/// for try await location in TrackProvider(.path("walk.gpx"), pace: .times(10)).locations() { … }
/// ```
///
/// The file of a simulated route in Xcode has waypoints, with times or without, and is played between them:
///
/// ```swift
/// let drive = TrackProvider(.path("Drive.gpx"), speed: 20, every: .seconds(1))
/// ```
///
/// The content of the file decides about its format; files of gzip, xz and zstd are decompressed by the programs of those names.
/// The moments are those of the track at every pace. The file is read during playback, so a track of any size takes the same memory, and
/// a compressed one that expands to more than 24 times its size, and 256 MB, is an error.
public struct TrackProvider: LocationProvider {
    /// The longest interval between two points of a journey, for `staleAfter`: a track itself says where it is interrupted, and
    /// its points can be far apart.
    public static let longestInterval = Duration.seconds(86_400)

    private let replay: ReplayProvider

    /// Creates a provider that plays the track from the beginning for each session; a descriptor can be played once.
    ///
    /// - Parameters:
    ///   - source: The file, the descriptor or the bytes of the track.
    ///   - speed: The speed in metres per second at which points without a time are passed; if it is `nil` or not positive, they
    ///     are skipped, and a track of several such points and nothing else is an error.
    ///   - interval: The time between two positions on the way from one point to the next, which is passed at an even speed, or `nil`
    ///     for the points only. The positions, at most 1,000
    ///     between two points, have the speed and the course of the way. A track of one point holds its place for a day.
    ///   - start: The time of the first point, if it has none.
    ///   - pace: The speed of the playback.
    ///   - clock: The clock of the playback.
    public init<C: Clock>(
        _ source: RecordingSource, speed: Double? = nil, every interval: Duration? = nil,
        startingAt start: Timestamp = .now,
        pace: ReplayPace = .recorded, clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        var reading = InputReading()
        reading.isPlain = true
        let speed = speed.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        var times = TimelessPoints(speed: speed, start: start)
        times.acceptsLonePoint = true
        reading.recognizer = .tracks(times, every: interval, isRequired: true)
        replay = ReplayProvider(source, pace: pace, reading: reading, clock: clock)
    }

    /// Returns the updates of the track.
    ///
    /// A file that is not a track ends the session with an error of the code `track`, a track without times with `untimed`, and a
    /// missing library with `library`; the other errors are those of `ReplayProvider`.
    public func updates(for request: LocationRequest) -> LocationUpdates { replay.updates(for: request) }
}

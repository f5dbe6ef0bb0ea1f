public import LocationCore
public import GPSDProtocol

/// A raw log of a receiver, such as a file of NMEA sentences or of a u-blox receiver's messages, played through a private gpsd.
///
/// The log may be of any format that gpsd knows, and compressed by gzip, xz or zstd. Its session gives what the receiver would give
/// at that time: gpsd gets the bytes as fast as it and the reader follow, and no report is lost. The moments are the times of the
/// reports. If gpsd has moved a date by 1,024 weeks, and the log's own sentences state the date, the times are moved back, and a notice
/// says so. As in a track, no position has a device.
///
/// Without a gpsd the session ends with `LocationError.programMissing(name:package:)`.
public struct RawLogSource: LocationProvider {
    private let replay: ReplayProvider

    /// Creates a source that plays the log from the beginning for each session; a descriptor can be played once.
    ///
    /// - Parameters:
    ///   - source: The log; not bytes in memory.
    ///   - pace: The speed at which its updates are emitted.
    public init(_ source: RecordingSource, pace: ReplayPace = .max) {
        var reading = InputReading()
        reading.isLog = true
        reading.logDecoder = RawLogDecoder()
        replay = ReplayProvider(source, pace: pace, reading: reading, options: SessionOptions())
    }

    /// Returns the updates of the log.
    public func updates(for request: LocationRequest) -> LocationUpdates { replay.updates(for: request) }
}

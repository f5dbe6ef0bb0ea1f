import LocationCore
import GPSDProtocol
import LocwatchSupport

/// A provider whose sessions are played by a playback clock, and do not end with the recording.
struct PlaybackProvider: LocationProvider {
    /// The recording, with `clock` as the clock of its sessions.
    let recording: any LocationProvider
    let clock: PlaybackClock
    /// The time in the recording at which playback begins; everything before it is read without waiting.
    let start: Duration

    func updates(for request: LocationRequest) -> LocationUpdates {
        let recorded = recording.updates(for: request)
        return recorded.replacingSessions { [clock, start] in
            let session = recorded.start()
            // A recording whose options have a clock can be driven by a loop, and only a loop can play it with this clock.
            guard let makeSource = session.makeSource else { return session }
            return LocationUpdates(for: request) { _ in
                PlaybackSource(makeSource(), clock, start: start)
            } orThrow: {
                .system($0)
            }.start()
        }
    }
}

/// The playback of a recording.
final class PlaybackSource: Source {
    private let recording: any Source
    private let clock: PlaybackClock
    private var start: Duration?
    private var hasEnded = false

    init(_ recording: any Source, _ clock: PlaybackClock, start: Duration) {
        self.recording = recording
        self.clock = clock
        self.start = start
    }

    var now: Moment { recording.now }
    var descriptor: Int32 { hasEnded ? -1 : recording.descriptor }
    var realTime: Duration? { recording.realTime }
    var bytesRead: Int { recording.bytesRead }

    func timeLeft(until deadline: Moment?) -> Duration? {
        hasEnded ? nil : recording.timeLeft(until: deadline).flatMap { clock.realTime(for: $0) }
    }

    func hasReached(_ moment: Moment) -> Bool {
        // After a jump the rest of a file comes before the deadlines.
        !hasEnded && !isReading && recording.hasReached(moment)
    }

    /// Whether a file has more lines that are not read yet.
    private var isReading: Bool { recording.descriptor >= 0 && recording.realTime == nil }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard !hasEnded else { return true }
        let continues = try recording.turn(isReady: isReady, into: &updates)
        // Playback begins with the first line, so only then can it jump.
        if let start, recording.bytesRead > 0 {
            self.start = nil
            if start > .zero { clock.skip(start) }
        }
        clock.setCatchingUp(continues && (isReading || recording.timeLeft(until: nil) == .zero))
        if !continues {
            hasEnded = true
            clock.end()
        }
        return true
    }

    func stop() { recording.stop() }
}

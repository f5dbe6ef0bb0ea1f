import LocationCore
import LocwatchSupport

/// A provider whose sessions are played by a playback clock, and do not end with the recording.
struct PlaybackProvider: LocationProvider {
    /// The recording, with `clock` as the clock of its sessions.
    let recording: any LocationProvider
    let clock: PlaybackClock
    /// The time in the recording at which playback begins; everything before it is read without waiting.
    let start: Duration

    func updates(for request: LocationRequest) -> LocationUpdates {
        recording.updates(for: request).starting { [clock, start] recorded in
            // A recording whose options have a clock can be polled. Only a poll loop can play it with this clock.
            guard let poll = recorded.poll else { return recorded }
            return SessionOpening(recorded.begin) { PlaybackSession(poll(), clock, start: start) }
        }
    }
}

/// The playback of a recording for a poll loop.
final class PlaybackSession: PolledSession {
    private let session: any PolledSession
    private let clock: PlaybackClock
    private var start: Duration?
    private var hasEnded = false

    init(_ session: any PolledSession, _ clock: PlaybackClock, start: Duration) {
        self.session = session
        self.clock = clock
        self.start = start
    }

    var now: Moment { session.now }
    var descriptor: Int32 { hasEnded ? -1 : session.descriptor }
    var realTime: Duration? { session.realTime }
    var bytesRead: Int { session.bytesRead }

    func timeLeft(until deadline: Moment?) -> Duration? {
        hasEnded ? nil : session.timeLeft(until: deadline).flatMap { clock.realTime(for: $0) }
    }

    func hasReached(_ moment: Moment) -> Bool {
        // After a jump the rest of a file comes before the deadlines.
        !hasEnded && !isReading && session.hasReached(moment)
    }

    /// Whether a file has more lines that are not read yet.
    private var isReading: Bool { session.descriptor >= 0 && session.realTime == nil }

    func step(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard !hasEnded else { return true }
        let continues = try session.step(isReady: isReady, into: &updates)
        // Playback begins with the first line, so only then can it jump.
        if let start, session.bytesRead > 0 {
            self.start = nil
            if start > .zero { clock.skip(start) }
        }
        clock.setCatchingUp(continues && (isReading || session.timeLeft(until: nil) == .zero))
        if !continues {
            hasEnded = true
            clock.end()
        }
        return true
    }

    func stop() { session.stop() }
}

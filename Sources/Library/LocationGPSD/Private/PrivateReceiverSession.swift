import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// A session over the shared private gpsd of a serial receiver or a stream.
final class PrivateReceiverSession: Source {
    /// The interval of the checks whether an unplugged device is back.
    private static let absenceCheck = Duration.seconds(1)
    /// The interval of the looks at the state of the corrections.
    private static let correctionsCheck = Duration.milliseconds(500)
    /// The time after which a gpsd that was killed, and has not ended, counts as one that never will.
    private static let endLimit = Duration.seconds(5)

    private let daemon: GPSDOwner
    private let request: LocationRequest
    private let options: SessionOptions
    private let clock: SessionClock
    private var launch: StartingGPSD?
    /// The event that happens when an earlier gpsd has let go of the device, while that is waited for, and the limit of the wait.
    private var taken: (until: Event, limit: Moment)?
    private var client: GPSDClient?
    /// The gpsd of the client.
    private var gpsd: PrivateGPSD?
    /// The updates of the client's last turn.
    private var received = ReusedQueue<LocationUpdate>()
    private var isPulled = false
    private var hasJoined = false
    private var hasConnected = false
    private var hasStopped = false
    /// The feed of the corrections, and its state that was reported last.
    private var corrections: (feed: CorrectionsFeed, reported: CorrectionsStatus?)?
    /// The path of the device by which the daemon reads the corrections.
    private var correctionsDevice: (path: String, removal: DeviceRemoval)?
    /// The satellites in the last position.
    private var used: Int?
    private var retries: ReceiverRetries
    /// The search for the reason why a stream gives no data, while it runs.
    private var probe: Background<LocationError?>?

    init(_ daemon: GPSDOwner, for request: LocationRequest, options: SessionOptions, clock: SessionClock) {
        self.daemon = daemon
        self.request = request
        self.options = options
        self.clock = clock
        retries = ReceiverRetries(options.timeouts)
    }

    deinit { stop() }

    func stop() {
        hasStopped = true
        client = nil
        gpsd = nil
        launch = nil
        taken = nil
        corrections = nil
        probe = nil
        if hasJoined { daemon.leave() }
        hasJoined = false
    }

    var now: Moment { clock.now }

    var descriptor: Int32 {
        if retries.due != nil { return -1 }
        if let probe { return probe.done.descriptor }
        if let taken { return taken.until.descriptor }
        guard let client else { return launch?.done.descriptor ?? -1 }
        // The end of gpsd ends the connection of the client, if it has one.
        return client.descriptor >= 0 ? client.descriptor : gpsd?.endDescriptor ?? -1
    }

    var isConnected: Bool { client?.isConnected ?? false }

    func timeLeft(until deadline: Moment?) -> Duration? {
        func left(until moment: Moment) -> Duration { max(.zero, now.duration(to: moment)) }
        if probe != nil { return deadline.map(left) }
        if let taken { return left(until: deadline.map { min($0, taken.limit) } ?? taken.limit) }
        let times: [Duration?] =
            if let client, retries.due == nil {
                [
                    client.timeLeft(until: deadline), corrections == nil ? nil : Self.correctionsCheck,
                    isPulled ? Self.absenceCheck : nil, retries.lossDue.map(left),
                ]
            } else {
                [launch == nil ? .zero : retries.due.map(left), deadline.map(left)]
            }
        return times.compactMap(\.self).min()
    }

    func hasReached(_ moment: Moment) -> Bool { client?.hasReached(moment) ?? (now >= moment) }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard !hasStopped else { return false }
        guard let launch else {
            try begin(in: daemon.join())
            hasJoined = self.launch != nil
            return true
        }
        if let due = retries.due, now < due { return true }
        do throws(LocationError) {
            if retries.due != nil {
                retries.begin()
                updates.append(LocationUpdate(.searching(.connecting(attempt: retries.failures + 1)), at: now))
                try restart(launch)
                return true
            }
            if taken != nil {
                try restart(launch)
                return true
            }
            if probe == nil { try step(launch, isReady: isReady, into: &updates) }
            guard let stream = launch.stream, let lost = retries.lossDue, now >= lost else { return true }
            if let error = reason(of: stream) { throw error }
        } catch {
            guard options.mayRetry(after: error, hasConnected: hasConnected), isTransient(error) else { throw error }
            (client, gpsd) = (nil, nil)
            updates.append(LocationUpdate(.failure(error, retry: retries.fail(at: now)), at: now))
        }
        return true
    }

    /// Continues with a gpsd that starts, or with the wait for the end of an earlier one.
    private func begin(in place: GPSDOwner.Place) throws(LocationError) {
        let earlier = taken
        taken = nil
        switch place {
        case .ready(let start): launch = start
        case .taken(let gone):
            let limit = earlier?.limit ?? now.advanced(by: Self.endLimit)
            guard now < limit else { throw .daemonUnavailable(cause: "the gpsd before it does not end") }
            taken = (gone, limit)
        }
    }

    /// Returns whether the receiver can perhaps be opened again after an error.
    private func isTransient(_ error: LocationError) -> Bool {
        switch error {
        case .streamUnavailable, .unresolvable, .connectionLost: true
        // The system or another program, such as ModemManager, can hold a receiver that was plugged in again for a while. A
        // restart can lack a descriptor or memory.
        case .deviceUnusable, .daemonUnavailable: hasConnected
        default: false
        }
    }

    /// Returns why a stream counts as lost, or `nil` while that is found out.
    ///
    /// A server that has sent nothing may not run, because gpsd can connect in the background (`GPSDQuirks.opensInBackground`).
    private func reason(of stream: StreamDevice) -> LocationError? {
        let loss = retries.loss(of: stream.address)
        guard !retries.hasHeard, stream.address.scheme == .tcp else { return loss }
        guard let probe else {
            probe = try? Background { stream.refusal }
            return probe == nil ? loss : nil
        }
        guard let outcome = probe.value else { return nil }
        self.probe = nil
        return outcome ?? loss
    }

    private func step(
        _ launch: StartingGPSD, isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        guard let client else {
            guard let started = try launch.outcome() else { return }
            // The device of the request is ignored, because the private gpsd has only one.
            let client = GPSDClient(
                started.endpoint, for: request, options: options, clock: clock,
                redaction: started.opening.redaction, paths: started.opening.paths)
            (self.client, gpsd) = (client, started)
            if let stream = launch.stream {
                retries.open(stream.address, inBackground: started.opensInBackground, at: now)
            }
            if !hasConnected, let words = started.exposure {
                updates.append(LocationUpdate(.notice(Notice(words)), at: now))
            }
            hasConnected = true
            corrections = started.corrections.map { ($0, nil) }
            correctionsDevice = started.correctionsDevice.map { ($0, DeviceRemoval(of: $0)) }
            _ = try client.turn(isReady: false, into: &updates)
            return
        }
        let news = Result { () throws(LocationError) in try client.turn(isReady: isReady, into: &received) }
        while let update = received.popFirst() {
            guard let update = withoutCorrections(update) else { continue }
            note(update, launch.stream)
            guard !retries.isPremature(update) else { continue }
            updates.append(update)
        }
        _ = try news.get()
        reportCorrections(into: &updates)
        if client.descriptor < 0, gpsd?.isRunning != true {
            updates.append(LocationUpdate(.failure(.daemonUnavailable(cause: "the private gpsd has ended")), at: now))
            try restart(launch)
        } else if isPulled, GPSDQuirks.forgetsUnplugged, case .line(let path, _) = launch.opening,
            access(path, F_OK) == 0
        {
            try restart(launch)
        }
    }

    /// Returns an update without the device of the corrections, or `nil` if it concerns nothing else.
    private func withoutCorrections(_ update: LocationUpdate) -> LocationUpdate? {
        guard let (path, removal) = correctionsDevice else { return update }
        guard case .line(let bytes) = update.event else { return update.event.device == path ? nil : update }
        return removal.apply(to: bytes).map { LocationUpdate(.line($0), at: update.moment) }
    }

    /// Appends the state of the corrections if it has changed.
    private func reportCorrections(into updates: inout ReusedQueue<LocationUpdate>) {
        guard let corrections, let status = corrections.feed.status, status != corrections.reported else { return }
        self.corrections?.reported = status
        updates.append(LocationUpdate(.notice(.corrections(status)), at: now))
    }

    private func note(_ update: LocationUpdate, _ stream: StreamDevice?) {
        // A serial line is lost when its device is gone, and nothing is lost while no datagram arrives.
        let isConnection = stream.map { $0.address.scheme != .udp } ?? false
        retries.note(update, canBeLost: isConnection && GPSDQuirks.missesEndOfStream)
        switch update.event {
        case .satellites(let sky): used = sky.used ?? used
        case .location(let location): corrections?.feed.note(location, used: used)
        default: break
        }
        switch update.event {
        case .searching(.deviceLost, _): isPulled = true
        case .location, .satellites, .attitude, .searching(.noFix, _): isPulled = false
        default: break
        }
    }

    /// Replaces the gpsd, as soon as it has let go of the device.
    private func restart(_ old: StartingGPSD) throws(LocationError) {
        isPulled = false
        (client, gpsd) = (nil, nil)
        corrections = nil
        try begin(in: daemon.replace(old))
    }
}

extension StartingGPSD {
    /// The stream that the gpsd opens, if any.
    fileprivate var stream: StreamDevice? {
        if case .stream(let stream) = opening { stream } else { nil }
    }
}

import Glibc
import LocationCore
import LocwatchSupport

/// The source of a fleet: a client of a broker that subscribes, reads, and reconnects.
///
/// The owner polls it, so that one thread can serve it together with other descriptors. Releasing it closes its connection.
final class BrokerSource: Source {
    private let settings: MQTTSettings
    private let filters: [String]
    private let options: SessionOptions
    private let clock: SessionClock
    private var devices: FleetDevices
    private var connection: MosquittoConnection?
    /// The version of the protocol for the next connection, as the last one has found it.
    private var version = MQTTVersion.version5
    /// The request for the messages, until the broker has answered it.
    private var subscription: Int32?
    private var subscribed: Moment?
    private var nextAttempt: Moment?
    private var backoff: Backoff
    private var hasConnected = false
    private var turn: Moment

    /// Creates a source that connects with its first turn.
    init(
        _ settings: MQTTSettings, filters: [String], devices: FleetDevices, options: SessionOptions, clock: SessionClock
    ) {
        self.settings = settings
        self.filters = filters
        self.devices = devices
        self.options = options
        self.clock = clock
        backoff = Backoff(options.timeouts.retries)
        turn = clock.now
        nextAttempt = turn
    }

    deinit { stop() }

    func stop() {
        // The goodbye is written at once if there is room for it; releasing the connection closes it.
        connection?.close(at: turn.elapsed)
        connection?.step(at: turn.elapsed) { _ in }
        connection = nil
        nextAttempt = nil
    }

    var now: Moment { clock.now }

    var descriptor: Int32 { connection?.poll.descriptor ?? -1 }

    var waitsForWriting: Bool { (connection?.poll.events ?? 0) & Int16(POLLOUT) != 0 }

    func timeLeft(until deadline: Moment?) -> Duration? {
        let own = connection.map { $0.deadline } ?? nextAttempt?.elapsed
        guard let earliest = [own, deadline?.elapsed, devices.deadline?.elapsed].compactMap(\.self).min() else {
            return nil
        }
        return max(.zero, earliest - now.elapsed)
    }

    /// Asked right after a turn, so the time of that turn is used instead of reading the clock.
    func hasReached(_ moment: Moment) -> Bool { turn >= moment }

    var isConnected: Bool { subscribed != nil }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        turn = clock.now
        let now = turn
        if let nextAttempt, now >= nextAttempt {
            self.nextAttempt = nil
            updates.append(LocationUpdate(.searching(.connecting(attempt: backoff.failures + 1)), at: now))
            do throws(MQTTError) {
                let connection = try MosquittoConnection(settings, version: version)
                connection.open(at: now.elapsed)
                self.connection = connection
            } catch {
                try fail(LocationError(error, settings), at: now, &updates)
            }
        }
        var failure: LocationError?
        connection?.step(at: now.elapsed) { event in
            guard failure == nil else { return }
            failure = process(event, at: now, &updates)
        }
        if let failure { try fail(failure, at: now, &updates) }
        if let due = devices.deadline, now >= due { devices.expire { updates.append(LocationUpdate($0, at: now)) } }
        return true
    }

    /// Processes an event of the connection; returns the error that ends the connection, if any.
    private func process(
        _ event: MosquittoConnection.Event, at now: Moment, _ updates: inout ReusedQueue<LocationUpdate>
    ) -> LocationError? {
        switch event {
        case .opened:
            do throws(MQTTError) {
                subscription = try connection?.subscribe(filters, quality: .atMostOnce, at: now.elapsed)
            } catch {
                return LocationError(error, settings)
            }
        case .subscribed(let number, let refusals):
            guard number == subscription else { return nil }
            for case (let filter, let refusal?) in zip(filters, refusals) {
                return LocationError(.subscriptionRefused(filter: filter, refusal), settings)
            }
            subscription = nil
            subscribed = now
            hasConnected = true
            backoff.succeed()
            updates.append(LocationUpdate(.authorization(.authorized), at: now))
            updates.append(LocationUpdate(.searching(.connected(release: nil)), at: now))
        case .received(let message): devices.process(message, at: now) { updates.append($0) }
        case .oversized(let topic, let size):
            devices.noteOversized(topic: topic, size: size) { updates.append(LocationUpdate($0, at: now)) }
        case .failed(let error): return LocationError(error, settings)
        case .acknowledged, .rejected, .closed: break
        }
        return nil
    }

    private func fail(
        _ error: LocationError, at now: Moment, _ updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        if let subscribed { backoff.noteEnd(after: subscribed.duration(to: now)) }
        subscribed = nil
        subscription = nil
        version = connection?.version ?? version
        connection = nil
        if case .denied = error { updates.append(LocationUpdate(.authorization(.denied), at: now)) }
        guard options.mayRetry(after: error, hasConnected: hasConnected) else { throw error }
        let pause = backoff.fail()
        nextAttempt = now.advanced(by: pause)
        updates.append(LocationUpdate(.failure(error, retry: pause), at: now))
    }
}

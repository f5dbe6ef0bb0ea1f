import LocwatchSupport

extension LocationProvider {
    /// Returns this provider with one position per epoch.
    ///
    /// gpsd reports an epoch in parts, mostly at the start of a session. This provider emits a position when a report
    /// has every field that the device's previous epoch had, when the next epoch begins, or 300 ms after the first
    /// report. In the steady state nothing is delayed.
    public func settled() -> SettledProvider { SettledProvider(base: self) }
}

/// A provider that reduces the reports of each epoch of another provider to one position.
public struct SettledProvider: LocationProvider {
    fileprivate let base: any LocationProvider

    /// Returns the other provider's events with one position per epoch.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        // The filters of the request apply to the settled position, not to its parts.
        var unfiltered = LocationRequest(device: request.device, purpose: request.purpose)
        unfiltered.includesLines = request.includesLines
        unfiltered.includesClock = request.includesClock
        unfiltered.deviceInterval = request.deviceInterval
        return base.updates(for: unfiltered).settled().filtered(by: LocationFilter(request))
    }
}

extension LocationUpdates {
    /// Returns the same events with one position per epoch; see `LocationProvider.settled()`.
    ///
    /// The devices of a fleet report each position in one message, so the events of a fleet remain the same.
    public func settled() -> LocationUpdates {
        if isFleet { return self }
        return transformed {
            PolledSettlingSession($0)
        } _: {
            SettlingSession($0)
        }
    }
}

/// A session for a task that settles the epochs of another session.
private final class SettlingSession: LocationSession {
    private struct Content {
        var settler = EpochSettler()
        var queue: [LocationUpdate] = []
        var hasEnded = false
        var failure: LocationError?
    }

    private let base: any LocationSession
    private let content = Lock(Content())

    init(_ base: any LocationSession) { self.base = base }

    var now: Moment { base.now }

    func stop() { base.stop() }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            if let update = content.withLock({ $0.queue.isEmpty ? nil : $0.queue.removeFirst() }) {
                return .update(update)
            }
            let (due, hasEnded, failure) = content.withLock { ($0.settler.deadline, $0.hasEnded, $0.failure.take()) }
            if let failure { throw failure }
            if hasEnded { return .end }
            let goal = due.map { due in deadline.map { min($0, due) } ?? due } ?? deadline
            let step: SessionStep
            do throws(LocationError) { step = try await base.next(until: goal) } catch {
                finish(with: error)
                continue
            }
            switch step {
            case .update(let update):
                content.withLock { content in
                    var settled: [LocationUpdate] = []
                    content.settler.process(update) { settled.append($0) }
                    content.queue += settled
                }
            case .quiet:
                guard let goal else { continue }
                content.withLock { content in
                    var settled: [LocationUpdate] = []
                    content.settler.expire(at: goal) { settled.append($0) }
                    content.queue += settled
                }
                if goal == deadline, content.withLock({ $0.queue.isEmpty }) { return .quiet }
            case .end: finish(with: nil)
            }
        }
    }

    private func finish(with error: LocationError?) {
        let now = base.now
        content.withLock { content in
            var settled: [LocationUpdate] = []
            content.settler.finish(at: now) { settled.append($0) }
            content.queue += settled
            content.hasEnded = true
            content.failure = error
        }
    }
}

/// A session for a poll loop that settles the epochs of another session.
private final class PolledSettlingSession: PolledSession {
    private let base: any PolledSession
    private var settler = EpochSettler()
    /// The error to throw after the delayed positions have been emitted.
    private var failure: LocationError?

    init(_ base: any PolledSession) { self.base = base }

    func stop() { base.stop() }
    var now: Moment { base.now }
    var descriptor: Int32 { base.descriptor }
    var waitsForWriting: Bool { base.waitsForWriting }
    func hasReached(_ moment: Moment) -> Bool { base.hasReached(moment) }
    var realTime: Duration? { base.realTime }
    var bytesRead: Int { base.bytesRead }
    var isConnected: Bool { base.isConnected }

    func timeLeft(until deadline: Moment?) -> Duration? {
        if failure != nil { return .zero }
        guard let due = settler.deadline else { return base.timeLeft(until: deadline) }
        return base.timeLeft(until: deadline.map { min($0, due) } ?? due)
    }

    func step(isReady: Bool, emit: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        if let failure { throw failure }
        do throws(LocationError) {
            let continues = try base.step(isReady: isReady) { settler.process($0, emit: emit) }
            if let due = settler.deadline, base.hasReached(due) { settler.expire(at: due, emit: emit) }
            if !continues { settler.finish(at: base.now, emit: emit) }
            return continues
        } catch {
            settler.finish(at: base.now, emit: emit)
            failure = error
            return true
        }
    }
}

import LocwatchSupport

/// A provider of the events of several providers, whose receivers are those of one machine.
///
/// The events of a provider that concern none of its receivers, such as the loss of its connection, concern its own receivers only, so that
/// they do not take away the position of another one.
struct MergedProvider: LocationProvider {
    /// The providers, in the order of their numbers.
    let members: [any LocationProvider]
    let startClock: @Sendable () -> SessionClock

    func updates(for request: LocationRequest) -> LocationUpdates {
        // The criteria apply to the merged positions: a member that withheld some would look silent.
        var open = LocationRequest(purpose: request.purpose, limit: request.limit)
        open.includesLines = request.includesLines
        open.includesClock = request.includesClock
        open.deviceInterval = request.deviceInterval
        let sources = members.map { [open] in $0.updates(for: open) }
        return LocationUpdates(for: request) { [startClock] in
            let mailbox = LocationMailbox(clock: startClock())
            let session = MergedSession(mailbox, count: sources.count)
            let tasks = sources.enumerated().map { place, updates in
                Task { await session.read(updates, of: place) }
            }
            mailbox.onStop { for task in tasks { task.cancel() } }
            return mailbox
        }
    }
}

/// The session of several providers, which each have a task that reads them.
private final class MergedSession: Sendable {
    private let mailbox: LocationMailbox
    private let events: Lock<MergedEvents>

    init(_ mailbox: LocationMailbox, count: Int) {
        self.mailbox = mailbox
        events = Lock(MergedEvents(count: count))
    }

    /// Passes on the events of the provider with a number, until it ends.
    func read(_ updates: LocationUpdates, of place: Int) async {
        do throws(LocationError) {
            for try await update in updates {
                // In the lock, so that the events of several providers are in one order.
                events.withLock { events in
                    for event in events.events(of: update.event, from: place) { mailbox.put(event) }
                }
            }
            events.withLock { $0.end(place, nil, mailbox) }
        } catch {
            events.withLock { $0.end(place, error, mailbox) }
        }
    }
}

/// The rules by which the events of several providers are those of one session.
struct MergedEvents: Sendable {
    private struct Member {
        /// The names of its receivers in the session, by those that it gives them.
        var names: [String?: String] = [:]
        var failure: LocationError?
        var hasEnded = false
    }

    private var members: [Member]
    private var names: Set<String> = []
    /// The authorization that was passed on, which the members share.
    private var authorization: AuthorizationStatus?

    init(count: Int) { members = Array(repeating: Member(), count: count) }

    /// Returns what an event of a provider is in the session.
    mutating func events(of event: LocationEvent, from place: Int) -> [LocationEvent] {
        switch event {
        case .failure(let error, let retry): return fail(place, error, retry)
        case .authorization(let status):
            // Positions may be read if one member may.
            guard status != authorization, authorization != .authorized else { return [] }
            authorization = status
            return [event]
        case .searching(let reason, nil):
            // Of all receivers of the provider, or of the one that it will have.
            let devices = members[place].names.isEmpty ? [name(of: nil, at: place)] : receivers(of: place)
            return devices.map { .searching(reason, device: $0) }
        case .line, .other: return [event]
        default:
            if case .location = event { members[place].failure = nil }
            return [named(event, at: place)]
        }
    }

    /// Ends a provider; the session ends with the last one, and throws its error if no provider has ended without one.
    mutating func end(_ place: Int, _ error: LocationError?, _ mailbox: LocationMailbox) {
        members[place].hasEnded = true
        if let error { for event in fail(place, error, nil) { mailbox.put(event) } }
        guard members.allSatisfy(\.hasEnded) else { return }
        let failures = members.compactMap(\.failure)
        mailbox.finish(throwing: failures.count == members.count ? error ?? failures.first : nil)
    }

    /// Returns the events of a failure: it is that of the session if every provider has failed.
    private mutating func fail(_ place: Int, _ error: LocationError, _ retry: Duration?) -> [LocationEvent] {
        members[place].failure = error
        if members.allSatisfy({ $0.failure != nil }) { return [.failure(error, retry: retry)] }
        return [.notice(Notice("one of \(members.count) sources has failed: \(error)"))]
            + receivers(of: place).map { .searching(.unanswered, device: $0) }
    }

    private func receivers(of place: Int) -> [String] { members[place].names.values.sorted() }

    /// Returns the name in the session of a receiver of a provider, which no receiver of another one has.
    private mutating func name(of device: String?, at place: Int) -> String {
        if let known = members[place].names[device] { return known }
        var name = device ?? "source \(place + 1)"
        if names.contains(name) { name += " (source \(place + 1))" }
        while names.contains(name) { name += "'" }
        members[place].names[device] = name
        names.insert(name)
        return name
    }

    /// Returns an event with the receiver's name in the session.
    private mutating func named(_ event: LocationEvent, at place: Int) -> LocationEvent {
        switch event {
        case .location(var location):
            location.device = name(of: location.device, at: place)
            return .location(location)
        case .searching(let reason, let device): return .searching(reason, device: name(of: device, at: place))
        case .satellites(var sky):
            sky.device = name(of: sky.device, at: place)
            return .satellites(sky)
        case .device(var status):
            status.path = name(of: status.path, at: place)
            return .device(status)
        case .receiver(var report):
            report.device = name(of: report.device, at: place)
            return .receiver(report)
        case .attitude(var attitude):
            attitude.device = name(of: attitude.device, at: place)
            return .attitude(attitude)
        case .clock(var sample):
            sample.device = name(of: sample.device, at: place)
            return .clock(sample)
        default: return event
        }
    }
}

extension LocationProvider {
    /// Returns a provider of the events of this one and of others, whose current receiver is the best of all of their receivers.
    ///
    /// The rules are those of several receivers of one provider: 3D before 2D, then the smaller error; a receiver that loses its position
    /// is replaced at once, and one that another clearly beats after ten seconds. A receiver without a name is called after the place of
    /// its provider, `source 1` and so on, and one whose name another provider has gets that as an addition. A failure of one provider is
    /// a notice, until all have failed. The session ends with the last one.
    ///
    /// - Parameters:
    ///   - others: The other providers.
    ///   - clock: The clock of the sessions, which stamps the events when they arrive.
    public func merged<C: Clock>(
        with others: any LocationProvider..., clock: C = ContinuousClock()
    ) -> some LocationProvider where C.Duration == Duration {
        MergedProvider(members: [self] + others) { SessionClock(clock, startingAt: .now) }
    }
}

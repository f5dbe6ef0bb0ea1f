import LocationCore
import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// A private gpsd shared by several sessions, which starts with the first and ends with the last.
final class GPSDOwner: Sendable {
    private struct State {
        var userCount = 0
        var receiver: AttachedReceiver?
        var start: StartingGPSD?
        /// The gpsd of the sessions before while it is ending, which keeps it.
        weak var last: StartingGPSD?
    }

    private let attach: @Sendable () throws(LocationError) -> AttachedReceiver
    private let launch: @Sendable (GPSDInput) throws(LocationError) -> StartingGPSD
    private let state = Lock(State())

    /// Creates one for the receiver that `attach` makes available, whose gpsd `launch` starts.
    init(
        attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver,
        launch: @escaping @Sendable (GPSDInput) throws(LocationError) -> StartingGPSD
    ) {
        self.attach = attach
        self.launch = launch
    }

    convenience init(
        settings: PrivateGPSD.Settings, attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver
    ) {
        self.init(attach: attach) { (opening) throws(LocationError) in try StartingGPSD(opening, settings) }
    }

    /// The number of sessions that use the gpsd.
    var userCount: Int { state.withLock { $0.userCount } }

    /// Returns the updates of a new session.
    func updates(for request: LocationRequest, options: SessionOptions) -> LocationUpdates {
        LocationUpdates(for: request, on: options.startClock) { [self] clock in
            PrivateReceiverSession(self, for: request, options: options, clock: clock)
        } orThrow: { failure in
            .daemonUnavailable(cause: "\(failure)")
        }
    }

    /// The gpsd for a session, or what the session waits for before there is one.
    enum Place {
        case ready(StartingGPSD)
        /// An earlier gpsd still has the device; the event happens when it is gone.
        case taken(until: Event)
    }

    /// Adds a session unless the device is still taken; the session must call `leave()` at its end.
    func join() throws(LocationError) -> Place {
        try state.withLock { (state) throws(LocationError) in
            let place = try place(in: &state, except: nil)
            if case .ready = place { state.userCount += 1 }
            return place
        }
    }

    /// Ends a gpsd that has died or lost its device, and starts another one when it is gone, unless another session has.
    func replace(_ old: StartingGPSD) throws(LocationError) -> Place {
        try state.withLock { (state) throws(LocationError) in try place(in: &state, except: old) }
    }

    private func place(in state: inout State, except old: StartingGPSD?) throws(LocationError) -> Place {
        if let start = state.start, start !== old, !start.isEnding { return .ready(start) }
        if let last = state.start ?? state.last {
            last.end()
            if !last.gone.hasHappened { return .taken(until: last.gone) }
        }
        let start: StartingGPSD
        if let receiver = state.receiver { start = try launch(receiver.opening) } else { start = try begin(&state) }
        (state.start, state.last) = (start, nil)
        return .ready(start)
    }

    /// Makes the receiver available and starts the gpsd; without a gpsd the receiver does not stay attached.
    private func begin(_ state: inout State) throws(LocationError) -> StartingGPSD {
        let receiver = try attach()
        do throws(LocationError) {
            let start = try launch(receiver.opening)
            state.receiver = receiver
            return start
        } catch {
            receiver.detach()
            throw error
        }
    }

    /// Removes a session; the last one ends the gpsd, and then the receiver, without waiting for them.
    func leave() {
        state.withLock { state in
            state.userCount -= 1
            guard state.userCount == 0 else { return }
            let (start, receiver) = (state.start, state.receiver)
            (state.last, state.start, state.receiver) = (start, nil, nil)
            let isGone = start?.end { receiver?.detach() }
            if isGone != false { receiver?.detach() }
        }
    }
}

/// A private gpsd from its start to its end, which take a second or more and have threads of their own.
final class StartingGPSD: Sendable {
    private struct State {
        var isEnding = false
        var isGone = false
        /// The work that follows the end.
        var rest: (@Sendable () -> Void)?
    }

    let opening: GPSDInput
    private let interruption: Event
    private let start: Background<Result<PrivateGPSD, LocationError>>
    /// An event that happens when the gpsd is gone after `end()`.
    let gone: Event
    private let state = Lock(State())

    init(_ opening: GPSDInput, _ settings: PrivateGPSD.Settings) throws(LocationError) {
        self.opening = opening
        do throws(SystemFailure) {
            let interruption = try Event()
            self.interruption = interruption
            gone = try Event()
            start = try Background {
                Result { () throws(LocationError) in
                    try PrivateGPSD(opening, settings: settings, interruption: interruption)
                }
            }
        } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
    }

    /// An event that happens when the gpsd answers or has failed.
    var done: Event { start.done }

    func outcome() throws(LocationError) -> PrivateGPSD? { try start.value?.get() }

    /// Whether `end()` was called.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Ends the gpsd or its start without waiting for that; returns whether it is gone already.
    ///
    /// - Parameter rest: The work to do when it is gone, before `gone` happens; it is not done if the gpsd is gone already.
    @discardableResult func end(then rest: (@Sendable () -> Void)? = nil) -> Bool {
        let (isFirst, isGone) = state.withLock { state in
            defer { state.isEnding = true }
            if let rest, !state.isGone { state.rest = rest }
            return (!state.isEnding, state.isGone)
        }
        guard isFirst else { return isGone }
        interruption.happen()
        Endings.run { [self] in
            done.wait()
            (try? outcome())?.end()
            let rest = state.withLock { state in
                state.isGone = true
                return state.rest.take()
            }
            rest?()
            gone.happen()
        }
        return false
    }
}

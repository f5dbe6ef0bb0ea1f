import LocationCore
import LocationRecordings
import LocwatchPlatform
import LocwatchSupport

/// A private gpsd shared by several sessions, which starts with the first and ends with the last.
final class SharedGPSD: Sendable {
    private struct State {
        var userCount = 0
        var receiver: AttachedReceiver?
        var start: GPSDStart?
    }

    private let attach: @Sendable () throws(LocationError) -> AttachedReceiver
    private let launch: @Sendable (GPSDOpening) throws(LocationError) -> GPSDStart
    private let state = Lock(State())

    /// Creates one for the receiver that `attach` makes available, whose gpsd `launch` starts.
    init(
        attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver,
        launch: @escaping @Sendable (GPSDOpening) throws(LocationError) -> GPSDStart
    ) {
        self.attach = attach
        self.launch = launch
    }

    convenience init(
        settings: PrivateGPSD.Settings, attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver
    ) {
        self.init(attach: attach) { (opening) throws(LocationError) in try GPSDStart(opening, settings) }
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

    /// Adds a session and returns the start of the gpsd; the session must call `leave()` at its end.
    func join() throws(LocationError) -> GPSDStart {
        try state.withLock { (state) throws(LocationError) in
            let start = if let known = state.start { known } else { try begin(&state) }
            state.userCount += 1
            return start
        }
    }

    /// Makes the receiver available and starts the gpsd; without a gpsd the receiver does not stay attached.
    private func begin(_ state: inout State) throws(LocationError) -> GPSDStart {
        let receiver = try attach()
        do throws(LocationError) {
            let start = try launch(receiver.opening)
            (state.receiver, state.start) = (receiver, start)
            return start
        } catch {
            receiver.detach()
            throw error
        }
    }

    /// Replaces a gpsd that has died or lost its device, unless another session has, and returns the new start.
    func replace(_ old: GPSDStart) throws(LocationError) -> GPSDStart {
        try state.withLock { (state) throws(LocationError) in
            if let start = state.start, start !== old { return start }
            old.end()
            let start = try launch(old.opening)
            state.start = start
            return start
        }
    }

    /// Removes a session; the last one ends the gpsd, and then the receiver.
    func leave() {
        state.withLock { state in
            state.userCount -= 1
            guard state.userCount == 0 else { return }
            state.start?.end()
            state.receiver?.detach()
            state.start = nil
            state.receiver = nil
        }
    }
}

/// The start of a private gpsd on its own thread, because it takes a second or more.
final class GPSDStart: Sendable {
    let opening: GPSDOpening
    private let interruption: Event
    private let start: Background<Result<PrivateGPSD, LocationError>>

    init(_ opening: GPSDOpening, _ settings: PrivateGPSD.Settings) throws(LocationError) {
        self.opening = opening
        do throws(SystemFailure) {
            let interruption = try Event()
            self.interruption = interruption
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

    var isRunning: Bool { (try? outcome())?.isRunning ?? false }

    /// Ends the gpsd or its start, and waits until it is gone.
    func end() {
        interruption.happen()
        done.wait()
        (try? outcome())?.end()
    }
}

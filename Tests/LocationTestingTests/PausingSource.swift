import LocationCore
import LocationTesting
import LocwatchSupport

/// A source that gives an update with each turn, and pauses in one of its calls; without one it ends at once.
final class PausingSource: Source {
    /// A call in which a source pauses.
    enum Call { case beginning, turn, end, none }

    private let call: Call
    private let pause: () -> Void
    private var turns = 0

    init(call: Call, _ pause: @escaping () -> Void) {
        (self.call, self.pause) = (call, pause)
        if call == .beginning { pause() }
    }

    var now: Moment { Moment(elapsed: .seconds(turns), wall: .testEpoch.advanced(by: .seconds(turns))) }

    var descriptor: Int32 { -1 }

    func timeLeft(until deadline: Moment?) -> Duration? { .zero }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) -> Bool {
        if call == .none { return false }
        if call == .turn { pause() }
        turns += 1
        updates.append(LocationUpdate(.location(Sample.here), at: now))
        return true
    }

    func stop() {
        if call == .end { pause() }
    }
}

/// A provider of sources that pause, which only a loop can drive.
struct PausingProvider: LocationProvider {
    let call: PausingSource.Call
    let pause: @Sendable () -> Void

    init(call: PausingSource.Call, _ pause: @escaping @Sendable () -> Void) { (self.call, self.pause) = (call, pause) }

    func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(
            for: request,
            starting: { [call, pause] in
                Session { PausingSource(call: call, pause) }
            })
    }

    private final class Session: LocationSession {
        let makeSource: (@Sendable () -> any Source)?

        init(_ makeSource: @escaping @Sendable () -> any Source) { self.makeSource = makeSource }

        var now: Moment { Moment(elapsed: .zero, wall: .testEpoch) }
        func take() -> SessionStep? { .end }
        func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
            answer(.success(.end))
        }
        func wake() {}
        func stop() {}
    }
}

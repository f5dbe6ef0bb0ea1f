import LocationCore
import LocationTesting
import Synchronization
import TestSupport
import Testing

@Suite struct SequenceProviderTests {
    private static let lost = LocationError.connectionLost(host: "pi.local", port: 2947, cause: "reset by peer")
    /// The receiver of another library, with a callback.
    private final class Receiver: Sendable {
        let continuations = Mutex<[AsyncThrowingStream<LocationEvent, any Error>.Continuation]>([])
        let running = Atomic(0)

        func events() -> AsyncThrowingStream<LocationEvent, any Error> {
            AsyncThrowingStream { continuation in
                running.add(1, ordering: .relaxed)
                continuation.onTermination = { _ in self.running.subtract(1, ordering: .relaxed) }
                continuations.withLock { $0.append(continuation) }
            }
        }

        func each(_ body: (AsyncThrowingStream<LocationEvent, any Error>.Continuation) -> Void) {
            for continuation in continuations.withLock({ $0 }) { body(continuation) }
        }
    }

    static let conformance = LocationProviderConformance("a stream") {
        let (receiver, clock) = (Receiver(), ManualClock())
        return ConformanceSubject(
            SequenceProvider(clock: clock) { _ in receiver.events() },
            emit: { receiver.each { $0.yield(.location(Sample.gate)) } }, end: { receiver.each { $0.finish() } },
            fail: {
                receiver.each { $0.finish(throwing: Self.lost) }
                return Self.lost
            }, runningSessions: { receiver.running.load(ordering: .relaxed) }, clock: clock)
    }

    @Test(arguments: conformance.checks)
    func `a provider over a stream is a proper one`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }

    @Test func `the positions of a sequence are those of a session, at most with the request's accuracy`() async throws
    {
        let provider = SequenceProvider(clock: ManualClock()) { _ in
            AsyncStream<Location> { continuation in
                for accuracy in [5.0, 50] {
                    continuation.yield(
                        Location(coordinate: Sample.gate.coordinate, horizontalAccuracy: accuracy))
                }
                continuation.finish()
            }
        }
        #expect(try await LocationRecorder(provider).untilEnded().locations.count == 2)
        let precise = LocationRequest(accuracy: 10)
        #expect(try await LocationRecorder(provider, for: precise).untilEnded().locations.count == 1)
    }

    @Test func `an error of another type ends the session as one of the source`() async throws {
        struct Unplugged: Error {}
        let provider = SequenceProvider(clock: ManualClock()) { _ in
            AsyncThrowingStream<Location, any Error> { $0.finish(throwing: Unplugged()) }
        }
        let ending = try await LocationRecorder(provider).untilEnded().ending
        #expect(ending == .threw(.other(code: "source", message: "Unplugged()")))
    }
}

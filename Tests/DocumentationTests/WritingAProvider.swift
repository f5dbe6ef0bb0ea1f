import LocationCore
import LocationTesting
import Synchronization
import Testing

final class VehicleSource: LocationProvider {
    private let mailboxes = Mutex<[ObjectIdentifier: LocationMailbox]>([:])
    private let startClock: @Sendable () -> SessionClock

    /// - Parameter startClock: Returns the clock of a session that begins now.
    init(startClock: @escaping @Sendable () -> SessionClock) {
        self.startClock = startClock
    }

    func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) { self.startSession() }
    }

    /// The number of running sessions.
    var runningSessions: Int { mailboxes.withLock { $0.count } }

    /// Called by the driver of the bus for each position.
    func process(latitude: Double, longitude: Double, accuracy: Double) {
        guard let coordinate = Coordinate(checking: latitude, longitude) else { return }
        let mailboxes = mailboxes.withLock { Array($0.values) }
        for mailbox in mailboxes {
            mailbox.put(
                .location(
                    Location(coordinate: coordinate, timestamp: mailbox.now.wall, horizontalAccuracy: accuracy)))
        }
    }

    /// Called by the driver when the bus is switched off, or fails.
    func end(throwing error: LocationError? = nil) {
        let mailboxes = mailboxes.withLock { Array($0.values) }
        for mailbox in mailboxes { mailbox.finish(throwing: error) }
    }

    private func startSession() -> LocationMailbox {
        let mailbox = LocationMailbox(clock: startClock())
        let key = ObjectIdentifier(mailbox)
        mailboxes.withLock { $0[key] = mailbox }
        mailbox.onStop { [weak self] in
            self?.mailboxes.withLock { $0[key] = nil }
        }
        return mailbox
    }
}

func makeSource() -> VehicleSource { VehicleSource { .system() } }

struct VehicleSourceTests {
    static let conformance = LocationProviderConformance("the vehicle") {
        let clock = ManualClock()
        let source = VehicleSource { clock.sessionClock() }
        return ConformanceSubject(
            source,
            emit: { source.process(latitude: 52.5163, longitude: 13.3777, accuracy: 5) },
            end: { source.end() },
            fail: {
                let error = LocationError.other(code: "bus", message: "the bus is off")
                source.end(throwing: error)
                return error
            },
            runningSessions: { source.runningSessions })
    }

    @Test(arguments: conformance.checks)
    func `the vehicle is a proper provider`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }
}

@Suite struct WritingAProviderTests {
    @Test func `the positions of a program's source have the civil time and an age`() async throws {
        let source = makeSource()
        let position = Task { try await source.current(maxAge: .seconds(10)) }
        try await eventually("the session") {
            source.runningSessions
        } is: {
            $0 == 1
        }
        let before = Timestamp.now
        source.process(latitude: 52.5163, longitude: 13.3777, accuracy: 5)
        let time = try #require(try await position.value.timestamp)
        #expect(before <= time && time <= .now)
    }
}

import Glibc
@testable import LocationPublishing
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

/// A connection to a broker of the test, driven on the test's own time.
///
/// Waiting is real, but the limits of the connection follow `now`, which only the test moves.
final class ConnectionDriver {
    let connection: MosquittoConnection
    private(set) var events: [MosquittoConnection.Event] = []
    var now = Duration.zero

    init(port: UInt16, change: (inout MQTTSettings) -> Void = { _ in }) throws {
        var settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "test")
        change(&settings)
        connection = try MosquittoConnection(settings)
    }

    /// Opens the connection and waits until the broker has accepted it.
    static func opened(
        to broker: LoopbackBroker, location: SourceLocation = #_sourceLocation,
        change: (inout MQTTSettings) -> Void = { _ in }
    ) throws -> ConnectionDriver {
        let driver = try ConnectionDriver(port: broker.port, change: change)
        driver.connection.open(at: driver.now)
        try driver.run(until: { $0.connection.isOpen }, location: location)
        return driver
    }

    /// Steps the connection whenever it is ready, until a condition holds.
    func run(
        until isSo: (ConnectionDriver) -> Bool, location: SourceLocation = #_sourceLocation
    ) throws {
        let end = ContinuousClock.now + .seconds(30)
        while true {
            connection.step(at: now) { events.append($0) }
            if isSo(self) { return }
            guard ContinuousClock.now < end else {
                Issue.record("not reached: \(events)", sourceLocation: location)
                throw NotReached()
            }
            var watched = pollfd(fd: connection.poll.descriptor, events: connection.poll.events, revents: 0)
            poll(&watched, 1, connection.deadline.map { $0 <= now } == true ? 0 : 20)
        }
    }

    struct NotReached: Error {}

    /// Opens the connection and returns the error with which it fails.
    func failure(location: SourceLocation = #_sourceLocation) throws -> MQTTError {
        connection.open(at: now)
        return try nextFailure(location: location)
    }

    /// Waits for the next failure and returns it.
    func nextFailure(location: SourceLocation = #_sourceLocation) throws -> MQTTError {
        var error: MQTTError?
        try run(
            until: {
                for case .failed(let new) in $0.events { error = new }
                return error != nil
            }, location: location)
        return try #require(error)
    }

    /// Publishes a message and returns its number.
    @discardableResult
    func publish(_ payload: String, quality: MQTTMessage.Quality = .atLeastOnce) throws -> Int32 {
        try connection.publish(MQTTMessage("a/b", Array(payload.utf8), quality: quality), at: now)
    }
}

import Glibc
package import LocationPublishing
package import Testing

/// A connection to a broker of the test, driven on the test's own time.
///
/// Waiting is real, but the limits of the connection follow `now`, which only the test moves.
package final class ConnectionDriver {
    package let connection: MosquittoConnection
    package private(set) var events: [MosquittoConnection.Event] = []
    package var now = Duration.zero

    package init(_ settings: MQTTSettings) throws { connection = try MosquittoConnection(settings) }

    package convenience init(port: UInt16, change: (inout MQTTSettings) -> Void = { _ in }) throws {
        var settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "test")
        change(&settings)
        try self.init(settings)
    }

    /// Opens a connection and waits until the broker has accepted it.
    package static func opened(
        _ settings: MQTTSettings, location: SourceLocation = #_sourceLocation
    ) throws -> ConnectionDriver {
        let driver = try ConnectionDriver(settings)
        driver.connection.open(at: driver.now)
        try driver.run(until: { $0.connection.isOpen }, location: location)
        return driver
    }

    /// Opens a connection and waits until the broker has accepted it.
    package static func opened(
        to broker: LoopbackBroker, location: SourceLocation = #_sourceLocation,
        change: (inout MQTTSettings) -> Void = { _ in }
    ) throws -> ConnectionDriver {
        var settings = broker.settings
        change(&settings)
        return try opened(settings, location: location)
    }

    /// Steps the connection whenever it is ready, until a condition holds.
    package func run(until isSo: (ConnectionDriver) -> Bool, location: SourceLocation = #_sourceLocation) throws {
        try drive(until: { isSo(self) }, state: "\(events)", location: location) {
            connection.step(at: now) { events.append($0) }
            return ([pollfd(connection.poll)], connection.deadline.map { $0 <= now } == true)
        }
    }

    /// Opens the connection and returns the error with which it fails.
    package func failure(location: SourceLocation = #_sourceLocation) throws -> MQTTError {
        connection.open(at: now)
        return try nextFailure(location: location)
    }

    /// Waits for the next failure and returns it.
    package func nextFailure(location: SourceLocation = #_sourceLocation) throws -> MQTTError {
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
    package func publish(_ message: MQTTMessage) throws -> Int32 { try connection.publish(message, at: now) }

    /// Publishes a message and returns its number.
    @discardableResult
    package func publish(_ payload: String, quality: MQTTMessage.Quality = .atLeastOnce) throws -> Int32 {
        try publish(MQTTMessage("a/b", Array(payload.utf8), quality: quality))
    }
}

package import LocationCore
package import LocationPublishing
package import LocationTesting
import LocwatchPlatform
import LocwatchSupport

/// A scripted MQTT broker on a TCP port of 127.0.0.1, for tests of publishers and fleets.
///
/// A thread serves the port until the value is released.
///
/// ```swift
/// let broker = try LoopbackBroker()
/// let recorder = LocationRecorder(MQTTLocationSource(broker.settings()))
/// try await broker.wait(for: "the subscription") { !$0.subscriptions.isEmpty }
/// ```
package final class LoopbackBroker: Sendable {
    /// The port.
    package var port: UInt16 { server.port }

    private let server: BrokerServer
    private let thread: NativeThread

    /// Starts a broker.
    ///
    /// - Parameter script: The faults of the first connection, the second one and so on; later ones have none.
    /// - Throws: An error of the code `system` if no port can be opened.
    package init(_ script: [[BrokerFault]] = []) throws(LocationError) {
        do throws(SystemFailure) {
            let server = try BrokerServer(ScriptedBroker(script))
            self.server = server
            thread = try NativeThread { server.run() }
        } catch {
            throw LocationError.system(error)
        }
    }

    deinit { thread.join { [server] in server.stop() } }

    /// The broker as it is now, with everything that it has received.
    package var state: ScriptedBroker { server.broker.value }

    /// Returns the settings of a client that connects to the broker.
    package func settings(clientID: String = "test") -> MQTTSettings {
        MQTTSettings(host: "127.0.0.1", port: port, clientID: clientID)
    }

    /// Waits until the broker meets a condition, for at most `limit` of real time, and returns it.
    ///
    /// - Parameters:
    ///   - name: A description of the awaited state for the error.
    ///   - limit: The longest real time to wait.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    ///   - condition: Returns whether the state is the awaited one.
    /// - Throws: An `ExpectationFailure` that lists what the broker has received.
    @discardableResult
    package func wait(
        for name: String, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line,
        until condition: @escaping @Sendable (ScriptedBroker) -> Bool
    ) async throws(ExpectationFailure) -> ScriptedBroker {
        let outcome = await server.broker.wait(within: limit, clock: ContinuousClock(), until: condition)
        let state = state
        guard outcome != .met else { return state }
        let received =
            state.clients.map { "the client \($0)" } + state.subscriptions.map { "a subscription to \($0.filter)" }
            + state.published.map { "a message to \($0.topic)" }
        throw ExpectationFailure(
            waitedFor: name, limit: limit, wasCancelled: outcome == .cancelled, happened: received.suffix(10),
            of: received.count, nothing: "the broker received nothing", at: CallSite(fileID: fileID, line: line))
    }

    /// Publishes a message of the broker's own.
    package func publish(_ message: MQTTMessage) { server.change { $0.publish(message, at: $1) } }

    /// Sends any bytes on a connection, such as a packet that no broker sends.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - connection: The number of the connection, counted from 0.
    package func send(_ bytes: [UInt8], on connection: Int) {
        server.change { $0.send(bytes, on: connection, at: $1) }
    }

    /// Ends a connection without a goodbye, which publishes the will of its client.
    ///
    /// - Parameter connection: The number of the connection, counted from 0.
    package func end(_ connection: Int) { server.change { $0.end(connection, at: $1) } }
}

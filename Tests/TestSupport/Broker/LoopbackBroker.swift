package import LocationCore
package import LocationPublishing
package import LocationTesting
import LocwatchPlatform
import LocwatchSupport

/// A scripted MQTT broker on a TCP port of 127.0.0.1, for tests of publishers and fleets.
///
/// A thread serves the port until the value is released.
package final class LoopbackBroker: Sendable {
    package var port: UInt16 { server.port }

    private let server: BrokerServer
    private let thread: NativeThread

    package init(_ script: [[BrokerFault]] = []) throws(LocationError) {
        do throws(SystemFailure) {
            let server = try BrokerServer(script)
            self.server = server
            thread = try NativeThread { server.run() }
        } catch {
            throw LocationError.system(error)
        }
    }

    deinit { thread.join { [server] in server.stop() } }

    /// The broker as it is now, with everything that it has received.
    package var state: ScriptedBroker { server.broker.value }

    /// The settings of a client that connects to the broker.
    package var settings: MQTTSettings { MQTTSettings(host: "127.0.0.1", port: port, clientID: "test") }

    /// Waits until the broker meets a condition, for at most a minute of real time, and returns it.
    @discardableResult
    package func wait(
        for name: String, fileID: String = #fileID, line: Int = #line,
        until condition: @escaping @Sendable (ScriptedBroker) -> Bool
    ) async throws(ExpectationFailure) -> ScriptedBroker {
        try await server.broker.wait(
            for: name, within: .seconds(60), at: CallSite(fileID: fileID, line: line),
            nothing: "the broker received nothing",
            until: condition
        ) {
            $0.clients.map { "the client \($0)" } + $0.subscriptions.map { "a subscription to \($0.filter)" }
                + $0.published.map { "a message to \($0.topic)" }
        }
        return state
    }

    package func publish(_ message: MQTTMessage) { server.change { $0.publish(message, at: $1) } }

    /// Sends any bytes on a connection, such as a packet that no broker sends.
    package func send(_ bytes: [UInt8], on connection: Int) { server.change { $0.send(bytes, on: connection, at: $1) } }

    /// Ends a connection without a goodbye, which publishes the will of its client.
    package func end(_ connection: Int) { server.change { $0.end(connection, at: $1) } }
}

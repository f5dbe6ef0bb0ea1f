package import LocationPublishing
package import LocationTesting
package import LocwatchPlatform
import LocwatchSupport

/// A scripted broker on a TCP port of 127.0.0.1, served by a thread until the value is released.
package final class LoopbackBroker: Sendable {
    /// The port.
    package var port: UInt16 { server.port }

    private let server: BrokerServer
    private let thread: NativeThread

    /// Starts a broker.
    ///
    /// - Parameter script: The faults of the first connection, the second one and so on; later ones have none.
    package init(_ script: [[BrokerFault]] = []) throws(SystemFailure) {
        let server = try BrokerServer(ScriptedBroker(script))
        self.server = server
        thread = try NativeThread { server.run() }
    }

    deinit { thread.join { [server] in server.stop() } }

    /// The broker as it is now, with everything that it has received.
    package var broker: ScriptedBroker { server.broker }

    /// Publishes a message of the broker's own.
    package func publish(_ message: MQTTMessage) { server.change { $0.publish(message, at: $1) } }

    /// Sends any bytes on a connection.
    package func send(_ bytes: [UInt8], on connection: Int) {
        server.change { $0.send(bytes, on: connection, at: $1) }
    }

    /// Ends a connection without a word.
    package func end(_ connection: Int) { server.change { $0.end(connection, at: $1) } }
}

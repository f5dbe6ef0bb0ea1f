import LocationCore
import LocwatchPlatform

/// The transports of a publisher's targets; targets with the same certificates share one HTTP session.
struct TransportFactory {
    private var sessions: [(options: CurlHTTPSession.Options, session: CurlHTTPSession)] = []

    /// Returns the transport of a target, which does not connect before it is opened.
    mutating func transport(for target: PreparedTarget) throws(PublishError) -> any DeliveryTransport {
        switch target.encoder {
        case .mqtt(let settings, let encoder):
            do throws(MQTTError) {
                return try MQTTTransport(settings, encoder)
            } catch {
                throw .transport(error, of: target.word)
            }
        case .http(let encoder):
            do throws(HTTPError) {
                return try HTTPTransport(encoder, limits: target.limits, start: session(target.encryption).start)
            } catch {
                throw .transport(error, of: target.word)
            }
        case .datagrams(let host, let port, let encoder):
            return DatagramTransport(host: host, port: port, encoder)
        case .connection(let host, let port, let encoder, let keepsQueue):
            return ConnectionTransport(
                host: host, port: port, encoder, keepsQueue: keepsQueue,
                connectionTimeout: target.limits.connectionTimeout)
        case .listener(let address, let port, let encoder):
            // A later attempt would fail too.
            do throws(SystemFailure) { try LoopbackPort.checkPermission(for: port) } catch {
                throw .port(error, of: target.word)
            }
            return ListenerTransport(address: address, port: port, encoder)
        case .path(let path, let entry, let mode, let encoder):
            do throws(SystemFailure) {
                return try transport(path, entry, mode, encoder)
            } catch {
                throw .path(error, of: target.word)
            }
        }
    }

    private func transport(
        _ path: String, _ entry: TargetEncoder.EncoderEntry, _ mode: UInt32, _ encoder: any StreamTarget
    ) throws(SystemFailure) -> any DeliveryTransport {
        switch entry {
        case .terminal: return try PathTransport(TerminalOutput(path: path), encoder)
        case .pipe: return try PathTransport(PipeOutput(path: path, mode: mode), encoder)
        case .socket: return try ListenerTransport(path: path, mode: mode, encoder)
        case .file:
            let nothing = PublishRecord(.lost, created: .now, location: nil)
            let initial = encoder.datagrams(for: nothing).last ?? []
            return try PathTransport(FileOutput(path: path, mode: mode, initial: initial), encoder)
        }
    }

    private mutating func session(_ encryption: MQTTSettings.Encryption) throws(HTTPError) -> CurlHTTPSession {
        let options = CurlHTTPSession.Options(encryption)
        if let shared = sessions.first(where: { $0.options == options }) { return shared.session }
        let session = try CurlHTTPSession(options)
        sessions.append((options, session))
        return session
    }
}

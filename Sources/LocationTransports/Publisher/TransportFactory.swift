import LocationPublishing
import LocwatchPlatform

/// The transports of a publisher's targets; targets with the same certificates share one HTTP session.
struct TransportFactory {
    private var sessions: [(options: CurlHTTPSession.Options, session: CurlHTTPSession)] = []

    /// Returns the transport of a target, which does not connect before it is opened.
    mutating func transport(for target: PreparedTarget) throws(PublisherError) -> any DeliveryTransport {
        switch target.encoder {
        case .mqtt(let settings, let encoder):
            do throws(MQTTError) {
                return try MQTTTransport(settings, encoder)
            } catch {
                throw PublisherError(.mqtt(target.word, error))
            }
        case .http(let encoder):
            do throws(HTTPError) {
                return try HTTPTransport(try session(target.encryption), encoder, limits: target.limits)
            } catch {
                throw PublisherError(.http(target.word, error))
            }
        case .datagrams(let host, let port, let encoder):
            return DatagramTransport(host: host, port: port, encoder)
        case .listener(let address, let port, let encoder):
            return ListenerTransport(address: address, port: port, encoder)
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

package import LocationCore
package import LocationGPSD

/// A stream of a receiver's data in a network, read through a private gpsd.
package struct StreamSource: SourceKind {
    package static let prefixes = StreamAddress.Scheme.allCases.map { "\($0.rawValue)://" }
    package static let help: KeyValuePairs = [
        "tcp://HOST[:PORT]": "a stream such as NMEA from a server, through a private gpsd (port 10110)",
        "udp://[ADDRESS][:PORT]": "the same in datagrams that arrive at this machine",
        "ntrip://[USER@]HOST[:PORT]/MOUNTPOINT":
            "a caster, whose corrections have no position (see /dev/ttyACM0?corrections); the password is LOCWATCH_PASSWORD",
    ]

    private let address: StreamAddress

    package init(_ word: String, prefix: String) throws(UsageError) {
        let scheme = StreamAddress.Scheme(rawValue: String(prefix.dropLast("://".count))) ?? .tcp
        do throws(UsageError) {
            address = try StreamWord(word, scheme: scheme).address
        } catch {
            throw error.showsValue
                ? .source(prefix + word, error.message) : UsageError("invalid SOURCE: \(error.message)")
        }
    }

    package var description: String { "\(address)" }
    package var place: String { "\(address)" }
    package var stream: StreamAddress? { address }
    package var takesPassword: Bool { address.user != nil }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        return StreamReceiverSource(address, password: try settings.connectionPassword(), options: options)
    }
}

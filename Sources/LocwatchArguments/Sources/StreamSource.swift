import LocationCore
import LocationGPSD
import LocationPublishing
import LocwatchPlatform

/// A stream of a receiver's data in a network, read through a private gpsd.
struct StreamSource: Source {
    static let prefixes = StreamAddress.Scheme.allCases.map { "\($0.rawValue)://" }
    static let help = [
        (
            term: "tcp://HOST[:PORT]",
            meaning: "a stream such as NMEA from a server, through a private gpsd (port 10110)"
        ),
        (term: "udp://[ADDRESS][:PORT]", meaning: "the same in datagrams that arrive at this machine"),
        (
            term: "ntrip://[USER@]HOST[:PORT]/MOUNTPOINT",
            meaning: "a caster of corrections, which have no position; the password is that of LOCWATCH_PASSWORD"
        ),
    ]

    private let address: StreamAddress

    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool { false }

    init(_ word: String, prefix: String) throws(UsageError) {
        let scheme = StreamAddress.Scheme(rawValue: String(prefix.dropLast("://".count))) ?? .tcp
        let parts: TargetWordParts
        do throws(TargetWordError) {
            parts = try TargetWordParts(word[...], allowsEmptyHost: scheme == .udp)
        } catch {
            // The word may contain a password.
            throw error == .password
                ? UsageError("invalid SOURCE: \(error)") : .source(prefix + word, error.description)
        }
        var mountpoint: String?
        if scheme == .ntrip {
            mountpoint = String(parts.rest.drop { $0 == "/" })
            guard let mountpoint, !mountpoint.isEmpty, mountpoint.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }),
                !mountpoint.utf8.contains(where: { "\"\\@".utf8.contains($0) })
            else {
                throw .source(prefix + word, "expected a mountpoint, as in ntrip://anna@caster.example:2101/MOUNT")
            }
        } else {
            guard parts.user == nil, parts.rest.isEmpty || parts.rest == "/" else {
                throw .source(
                    prefix + word, "expected a host and a port only, as in \(scheme.rawValue)://localhost:10110")
            }
        }
        address = StreamAddress(
            scheme, host: parts.host, port: parts.port, user: parts.user, mountpoint: mountpoint)
    }

    var isLive: Bool { true }
    var connectionOptions: [OptionName] { address.user != nil ? ["password-file"] : [] }
    var stream: StreamAddress? { address }
    var description: String { "\(address)" }
    var place: String { "\(address)" }
    func connection(to daemon: String) -> String { "reading \(place) through a private \(daemon)" }

    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        var password = settings.password
        if let file = settings.publishing.passwordFile {
            do throws(SecretFileError) {
                password = try SecretFile.read(file)
            } catch {
                throw .unreadable(path: file, cause: error.description)
            }
        }
        return StreamReceiverSource(address, password: password, options: options)
    }
}

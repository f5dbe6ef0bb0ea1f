import LocationCore
import LocwatchPlatform

/// The device that a private gpsd opens.
enum GPSDInput: Sendable {
    /// A serial line, by its path, with the name that its positions have instead of the path, if any.
    case line(String, name: String? = nil)
    /// A stream in a network.
    case stream(StreamDevice)
    /// The bytes of a log, from a pipe that becomes the daemon's standard input, at a socket that exists already.
    case log(pipe: Int32, at: UnlinkedSocket)

    /// The path of a daemon's standard input.
    static let standardInput = "/dev/stdin"

    /// The name of the device, which can contain a password.
    var device: String {
        switch self {
        case .line(let path, _): path
        case .stream(let stream): stream.name
        case .log: Self.standardInput
        }
    }

    /// The name of the device for messages.
    var place: String {
        switch self {
        case .line(let path, let name): name ?? path
        case .stream(let stream): "\(stream.address)"
        case .log: Self.standardInput
        }
    }

    /// The path of a line that has a name instead in the reports.
    var paths: [String: String] {
        if case .line(let path, let name?) = self { [name: path] } else { [:] }
    }

    /// A filter that hides the password and the address of a stream, or the path of a line with a name, in bytes of the daemon,
    /// if any.
    var redaction: ByteRedaction? {
        switch self {
        case .line(_, nil), .log: nil
        case .line(let path, let name?):
            // The daemon's lines are JSON, and the path is between quotes there.
            ByteRedaction(of: Array(path.utf8), as: Array(JSONText.quoted(name).utf8.dropFirst().dropLast()))
        case .stream(let stream): stream.redaction
        }
    }

    /// Returns what a gpsd may do that opens the device, and reads the pipe with the corrections, if there is one.
    func confinement(isReadOnly: Bool, pipe: String?) -> Confinement {
        switch self {
        case .line(let path, _): .gpsd(line: path, writes: !isReadOnly, pipe: pipe)
        case .stream(let stream):
            stream.address.scheme == .udp ? .gpsdOfDatagrams : .gpsd(connectingTo: stream.address.port)
        case .log: .gpsdOfLog
        }
    }

    /// Returns text of the daemon without what the redaction hides.
    func redacted(_ text: String) -> String { redaction?.applied(to: text) ?? text }
}

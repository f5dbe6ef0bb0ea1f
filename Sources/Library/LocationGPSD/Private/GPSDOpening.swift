import LocwatchPlatform

/// The device that a private gpsd opens.
enum GPSDOpening: Sendable {
    /// A serial line, by its path.
    case line(String)
    /// A stream in a network.
    case stream(StreamDevice)

    /// The name of the device, which can contain a password.
    var device: String {
        switch self {
        case .line(let path): path
        case .stream(let stream): stream.name
        }
    }

    /// The name of the device for messages.
    var place: String {
        switch self {
        case .line(let path): path
        case .stream(let stream): "\(stream.address)"
        }
    }

    /// A filter that hides the password and the address of a stream in bytes of the daemon, if any.
    var redaction: ByteRedaction? {
        if case .stream(let stream) = self { stream.redaction } else { nil }
    }

    /// Returns what the gpsd may do that opens the device.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether it does not write to the receiver.
    ///   - pipe: The path of the pipe with the corrections for a receiver, if any.
    func confinement(isReadOnly: Bool, pipe: String?) -> Confinement {
        switch self {
        case .line(let path): .gpsd(line: path, writes: !isReadOnly, pipe: pipe)
        case .stream(let stream):
            stream.address.scheme == .udp ? .gpsdOfDatagrams : .gpsd(connectingTo: stream.address.port)
        }
    }

    /// Returns text of the daemon without the password.
    func redacted(_ text: String) -> String {
        switch self {
        case .line: text
        case .stream(let stream): stream.redacted(text)
        }
    }
}

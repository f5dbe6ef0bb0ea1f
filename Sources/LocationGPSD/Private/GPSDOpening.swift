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

    /// Returns text of the daemon without the password.
    func redacted(_ text: String) -> String {
        switch self {
        case .line: text
        case .stream(let stream): stream.redacted(text)
        }
    }
}

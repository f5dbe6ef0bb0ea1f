/// A source of corrections for a receiver: messages of RTCM 3, such as a caster or a base station sends.
public struct CorrectionsSource: Hashable, Sendable {
    /// The kinds of sources.
    enum Place: Hashable, Sendable {
        /// A caster, or a server that sends the messages and nothing else.
        case stream(StreamAddress)
        /// A named pipe, by its path.
        case pipe(String)
    }

    let place: Place
    /// The password of the user at a caster.
    package var password: String?

    /// Creates a source that is a caster or, with the scheme `tcp`, a server that sends the messages and nothing else.
    ///
    /// - Parameters:
    ///   - address: The address; one with the scheme `udp` gives no corrections.
    ///   - password: The password of the user at a caster; it appears in no event, message or description.
    public init(_ address: StreamAddress, password: String? = nil) {
        place = .stream(address)
        self.password = password
    }

    /// Creates a source that is a named pipe, into which another program writes.
    ///
    /// - Parameter path: The path of the pipe.
    public init(pipe path: String) { place = .pipe(path) }

    /// The address of a caster or a server.
    package var address: StreamAddress? { if case .stream(let address) = place { address } else { nil } }
    package var user: String? { address?.user }
}

extension CorrectionsSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address as a URL without a password, or the path.
    public var description: String {
        switch place {
        case .stream(let address): "\(address)"
        case .pipe(let path): path
        }
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: ["source": description]) }
}

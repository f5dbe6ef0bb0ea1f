import LocationCore

/// The commands of gpsd's protocol about one device.
extension ReceiverControl.Request {
    /// Returns the commands for the device at a path, or `nil` if the request is not one for the protocol.
    ///
    /// The path is always there: without it gpsd refuses a command if it has several devices.
    func commands(for path: String) -> String? {
        switch self {
        case .setCycle(let cycle):
            // gpsd ignores a cycle without a word that is its driver's least one, or the one that it noted last, whatever the
            // receiver does; and it cuts off what is less than a millisecond. A microsecond more avoids all three, and of two
            // different cycles at least one differs from the last.
            [2, 1].map { Self.command(path, #","cycle":"# + (cycle + .microseconds($0)).decimalSeconds) }.joined()
        case .write(let bytes):
            Self.command(path, #","hexdata":"# + JSONText.quoted(bytes.map(Self.hexadecimal).joined()))
        case .reportState: Self.command(path, "")
        case .countBytes: nil
        }
    }

    private static func command(_ path: String, _ members: String) -> String {
        #"?DEVICE={"path":"# + JSONText.quoted(path) + members + "};\n"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
}

extension Duration {
    /// The number of seconds to the microsecond, as in `0.200000`; gpsd reads no exponent.
    fileprivate var decimalSeconds: String {
        let (seconds, rest) = components
        return "\(seconds)." + String(1_000_000 + rest / 1_000_000_000_000).dropFirst()
    }
}

import Glibc
import LocationCore
import LocwatchPlatform

/// A stream as a device of gpsd, whose name can contain a password.
struct StreamDevice: Sendable {
    /// The limit of gpsd for the name of a device.
    private static let longestName = 127
    /// The limit of gpsd for the user and the password together.
    private static let longestLogin = 45

    let address: StreamAddress
    private let password: String?
    /// The name of the device, which must not be written anywhere.
    private(set) var name: String
    /// The host of the device, which is one of the addresses of that of the stream if there are several.
    private var host: String
    /// A filter that hides the password in bytes of the daemon, if there is one.
    private(set) var redaction: ByteRedaction?

    init(_ address: StreamAddress, password: String?) throws(LocationError) {
        self.address = address
        self.password = password
        name = address.device(password: password)
        host = address.host
        try checkName()
        guard let user = address.user, let login else { return }
        guard login.utf8.count <= Self.longestLogin else {
            throw .unreadable(
                path: "\(address)", cause: "gpsd takes at most \(Self.longestLogin) bytes of user and password")
        }
        // gpsd takes the first colon and the first @ as separators, and would write other bytes in an escaped form.
        guard !user.utf8.contains(UInt8(ascii: ":")),
            login.utf8.allSatisfy({ 0x21..<0x7F ~= $0 && !"@\"\\/".utf8.contains($0) })
        else {
            throw .unreadable(
                path: "\(address)",
                cause: "gpsd cannot take a user or a password with a space, a quote, @, / or a letter beyond ASCII")
        }
        redaction = ByteRedaction(of: Array("\(login)@".utf8), as: Array("\(user)@".utf8))
    }

    /// The user and the password as gpsd takes them, if there is a user.
    private var login: String? { address.user.map { "\($0):\(password ?? "")" } }

    private func checkName() throws(LocationError) {
        guard name.utf8.count <= Self.longestName else {
            throw .unreadable(path: "\(address)", cause: "gpsd takes at most \(Self.longestName) bytes")
        }
    }

    /// Returns the device for gpsd at an address of its host, which messages continue to name.
    func located(at host: String) throws(LocationError) -> StreamDevice {
        var numeric = address
        numeric.host = host
        var device = self
        device.name = numeric.device(password: password)
        device.host = host
        let hidden = (login.map { "\($0)@" } ?? "//") + numeric.place
        let shown = (address.user.map { "\($0)@" } ?? "//") + address.place
        device.redaction = ByteRedaction(of: Array(hidden.utf8), as: Array(shown.utf8))
        try device.checkName()
        return device
    }

    /// Returns the device at each address of its host, in the order in which to try them.
    func candidates(
        before deadline: ContinuousClock.Instant, interruption: Event?
    ) throws(LocationError) -> [StreamDevice] {
        guard !address.host.isEmpty, !HostLookup.isAddress(address.host) else { return [self] }
        let found: [String]?
        do throws(SystemFailure) {
            found = try HostLookup(address.host).wait(before: deadline, interruption: interruption)
        } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
        guard let found else {
            if let interruption, interruption.hasHappened { throw .cancelled }
            throw .streamUnavailable(address: "\(address)", cause: "the name was not looked up in time")
        }
        guard !found.isEmpty else {
            throw .unresolvable(host: address.host, port: address.port, cause: "the name does not resolve")
        }
        var devices: [StreamDevice] = []
        for host in found { devices.append(try located(at: host)) }
        return devices
    }

    /// Returns the system's error of a connection to the address at which gpsd opens the stream, or `nil` if it succeeds; blocks.
    func connectionError(interruption: Event? = nil) -> Int32? {
        ConnectionProbe.error(host: host, port: String(address.port), interruption: interruption)
    }

    /// Returns the reason why gpsd cannot open the stream; connects for that, which blocks for some seconds.
    ///
    /// - Parameter said: The daemon's own words.
    func failure(_ said: String) -> LocationError {
        guard address.scheme != .udp else {
            return .streamUnavailable(address: "\(address)", cause: "gpsd cannot receive there" + said)
        }
        // `candidates` has looked up the name, so the probe can connect.
        return refusal ?? .streamUnavailable(address: "\(address)", cause: "gpsd cannot open it" + said)
    }

    /// The error of a connection to the server, or `nil` if it succeeds; blocks for some seconds.
    var refusal: LocationError? {
        ConnectionProbe.error(host: address.host, port: String(address.port)).map {
            .streamUnavailable(address: "\(address)", cause: SystemFailure("connect", code: $0).reason)
        }
    }
}

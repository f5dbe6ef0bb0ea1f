import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The parts of `web` that are prepared before it begins: the library, the port and the token.
struct WebSetup {
    static let usualPort = 8080
    static let tokenVariable = "LOCWATCH_TOKEN"

    let library: MicrohttpdLibrary
    let token: AccessToken?
    private let address: String?
    private let port: UInt16

    init(_ settings: Settings, _ environment: [String: String]) throws(StartFailure) {
        guard let library = MicrohttpdLibrary() else {
            throw StartFailure(
                "web needs \(MicrohttpdLibrary.soname): install the package \(MicrohttpdLibrary.package)",
                .unavailable)
        }
        self.library = library
        (address, port) = try Self.address(settings)
        token = try Self.token(settings, environment, port: port)
    }

    /// Takes the port; throws if other machines could read the page without a token.
    func sockets() throws(StartFailure) -> ListeningSockets {
        do throws(SystemFailure) {
            let sockets = try ListeningSockets(address: address, port: port)
            if token != nil || sockets.isLoopback { return sockets }
        } catch {
            throw StartFailure(port: error)
        }
        throw StartFailure(
            "other machines could read the position at \(address ?? ""): name a file with a token by "
                + "--token-file, such as one made by 'head -c 24 /dev/urandom | base64 >FILE; chmod 600 FILE'",
            .usage)
    }

    var host: String {
        guard let address else { return "localhost" }
        if ["0.0.0.0", "::"].contains(address) { return HostName.current ?? address }
        return AddressAuthority.text(address)
    }

    var hosts: HostRule { token == nil ? HostRule() : HostRule(names: HostName.all + [address].compactMap(\.self)) }

    /// The address and the port of `--listen` and `--port`; `--listen` can name a port alone.
    private static func address(_ settings: Settings) throws(StartFailure) -> (address: String?, port: UInt16) {
        var (host, port) = (settings.serving.listen?.host, settings.serving.port ?? settings.serving.listen?.port)
        if let text = host, settings.serving.listen?.port == nil, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            guard let number = UInt16(text), number > 0 else {
                throw StartFailure("invalid port \(text): expected 1 to 65535", .usage)
            }
            (host, port) = (nil, settings.serving.port ?? Int(number))
        }
        guard port != 0 else { throw StartFailure("invalid port 0: expected 1 to 65535", .usage) }
        return (host, UInt16(clamping: port ?? usualPort))
    }

    private static func token(
        _ settings: Settings, _ environment: [String: String], port: UInt16
    ) throws(StartFailure) -> AccessToken? {
        let text: String?
        do throws(UsageError) {
            text = try SecretFile.find(
                settings.serving.tokenFile, credential: "token", variable: tokenVariable, environment)
        } catch {
            throw StartFailure(error)
        }
        guard let text else { return nil }
        guard let token = AccessToken(text, port: port) else {
            throw StartFailure(
                "the token must have \(AccessToken.shortest) to \(AccessToken.longest) letters, digits and -._~+/=",
                .usage)
        }
        return token
    }
}

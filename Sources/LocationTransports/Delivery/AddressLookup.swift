import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The resolution of a host's name on a thread of its own, because a name server that does not answer blocks it for many
/// seconds; an address is known at once.
final class AddressLookup: Sendable {
    /// An address of a socket.
    struct Address: Sendable {
        var family: Int32
        var kind: Int32
        var protocolNumber: Int32
        var bytes: [UInt8]

        /// Calls `body` with the address in the system's form.
        func use<Answer>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
            return withUnsafePointer(to: &storage) { storage in
                storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
            }
        }
    }

    /// The addresses of a host, or the reason for which there are none.
    enum Outcome: Sendable {
        case addresses([Address])
        case failure(String)
    }

    private let outcome: Lock<Outcome?>
    private let arrival: Event

    /// Starts to resolve a host for sockets of a kind, such as `SOCK_DGRAM`.
    init(host: String, port: UInt16, kind: __socket_type) throws(SystemFailure) {
        arrival = try Event()
        let kind = Int32(kind.rawValue)
        if case .addresses(let known) = Self.resolve(host, port, kind, flags: AI_NUMERICHOST) {
            outcome = Lock(.addresses(known))
            arrival.happen()
            return
        }
        outcome = Lock(nil)
        try NativeThread.start { [self] in
            let found = Self.resolve(host, port, kind, flags: 0)
            outcome.withLock { $0 = found }
            arrival.happen()
        }
    }

    /// A descriptor that is readable once the outcome is known.
    var descriptor: Int32 { arrival.descriptor }

    /// The outcome, once it is known.
    var result: Outcome? { outcome.withLock { $0 } }

    private static func resolve(_ host: String, _ port: UInt16, _ kind: Int32, flags: Int32) -> Outcome {
        var hints = addrinfo()
        hints.ai_socktype = kind
        hints.ai_flags = AI_NUMERICSERV | flags
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { return .failure("cannot resolve \(host): \(String(cString: gai_strerror(code)))") }
        defer { freeaddrinfo(first) }
        var addresses: [Address] = []
        var next = first
        while let entry = next?.pointee {
            let bytes = [UInt8](UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
            addresses.append(
                Address(
                    family: entry.ai_family, kind: entry.ai_socktype, protocolNumber: entry.ai_protocol, bytes: bytes))
            next = entry.ai_next
        }
        return .addresses(addresses)
    }
}

import CGPSD
import Glibc
package import LocationCore
import LocwatchPlatform

/// A failure between this process and a gpsd, as reported by libgps.
///
/// A system error number is `nil` if libgps does not pass it on (before 3.27).
enum LibgpsError: Error, Hashable, Sendable {
    case unknownService
    case unknownHost
    /// The host or the service: libgps 3.27 and later do not distinguish them.
    case unknownName
    case noSocket(systemError: Int32?)
    case cannotConnect(systemError: Int32?)
    case outOfMemory
    case notSent(systemError: Int32)

    init(_ failure: locwatch_gps_failure) {
        let systemError = failure.system_error == 0 ? nil : failure.system_error
        self =
            switch failure.cause {
            case .unknown_service: .unknownService
            case .unknown_host: .unknownHost
            case .unknown_name: .unknownName
            case .no_socket: .noSocket(systemError: systemError)
            case .cannot_connect: .cannotConnect(systemError: systemError)
            case .out_of_memory: .outOfMemory
            }
    }
}

extension LocationError {
    /// The cause of a port without a number that is not the name of a service.
    package static let unknownService = "there is no such service"

    init(_ failure: LibgpsError, _ endpoint: GPSDEndpoint) {
        switch failure {
        case .unknownHost: self = endpoint.unresolvable("there is no such host")
        case .unknownService: self = endpoint.unresolvable(Self.unknownService)
        case .unknownName: self = endpoint.unresolvable("the name does not resolve")
        case .outOfMemory: self = endpoint.unreachable("out of memory")
        case .notSent(let error): self = endpoint.connectionLost(SystemFailure("send", code: error).reason)
        case .noSocket(let error), .cannotConnect(let error):
            // libgps before 3.27 does not pass the cause on, so it is determined by another attempt.
            let code = error ?? ConnectionProbe.error(host: endpoint.host, port: endpoint.port)
            let cause = code.map { SystemFailure("connect", code: $0).reason } ?? "it does not accept the connection"
            self =
                code == EACCES || code == EPERM
                ? .denied(what: "the connection to \(endpoint)", cause: cause)
                : endpoint.unreachable(cause)
        }
    }
}

import CGPSD

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

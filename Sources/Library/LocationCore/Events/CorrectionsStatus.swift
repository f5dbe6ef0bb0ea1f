/// The state of the corrections that a receiver is given, such as those of a caster.
///
/// It changes no state of the session: a receiver without corrections continues with less accurate positions. After a fault the
/// source is tried again, with pauses that grow, and the next status is that of another fault or of the corrections.
public struct CorrectionsStatus: Hashable, Sendable {
    /// The reason why no corrections arrive.
    package enum Fault: String, Hashable, Sendable {
        /// The name of the host does not resolve.
        case unresolvable
        /// The host does not accept the connection.
        case unreachable
        /// The caster refuses the user or the password.
        case password
        /// The caster does not have the mountpoint.
        case mountpoint
        /// The server is not a caster.
        case answer
        /// The connection stands, and nothing is sent.
        case silent
        /// Something other than corrections in RTCM 3 is sent.
        case content
        /// The other side has ended the connection.
        case closed
        /// The pipe cannot be read.
        case pipe
    }

    /// The source of the corrections, as a URL without a password or as a path.
    package var source: String
    /// The reason why no corrections arrive, or `nil` while they do.
    package var fault: Fault?
    package var cause: String?

    package init(source: String, fault: Fault? = nil, cause: String? = nil) {
        self.source = source
        self.fault = fault
        self.cause = cause
    }

    package var isArriving: Bool { fault == nil }
}

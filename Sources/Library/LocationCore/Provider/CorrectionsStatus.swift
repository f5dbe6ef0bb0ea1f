/// The state of the corrections that a receiver is given, such as those of a caster.
///
/// It changes no state of the session: a receiver without corrections continues with less accurate positions. After a fault the
/// source is tried again, with pauses that grow, and the next status is that of another fault or of the corrections.
public struct CorrectionsStatus: Hashable, Sendable, Codable {
    /// The reason why no corrections arrive.
    package struct Fault: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
        /// The identifier, for programs.
        package let rawValue: String

        /// Creates the fault with an identifier.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        package var description: String { rawValue }

        /// The name of the host does not resolve.
        package static let unresolvable = Fault(rawValue: "unresolvable")
        /// The host does not accept the connection.
        package static let unreachable = Fault(rawValue: "unreachable")
        /// The caster refuses the user or the password.
        package static let password = Fault(rawValue: "password")
        /// The caster does not have the mountpoint.
        package static let mountpoint = Fault(rawValue: "mountpoint")
        /// The server is not a caster.
        package static let answer = Fault(rawValue: "answer")
        /// The connection stands, and nothing is sent.
        package static let silent = Fault(rawValue: "silent")
        /// Something other than corrections in RTCM 3 is sent.
        package static let content = Fault(rawValue: "content")
        /// The other side has ended the connection.
        package static let closed = Fault(rawValue: "closed")
        /// The pipe cannot be read.
        package static let pipe = Fault(rawValue: "pipe")
    }

    /// The source of the corrections, as a URL without a password or as a path.
    package var source: String
    /// The reason why no corrections arrive, or `nil` while they do.
    package var fault: Fault?
    /// A message for people about the fault.
    package var cause: String?

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - source: The source of the corrections.
    ///   - fault: The reason why no corrections arrive, or `nil` while they do.
    ///   - cause: A message for people about the fault.
    package init(source: String, fault: Fault? = nil, cause: String? = nil) {
        self.source = source
        self.fault = fault
        self.cause = cause
    }

    /// Whether corrections arrive.
    package var isArriving: Bool { fault == nil }
}

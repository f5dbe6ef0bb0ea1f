import LocationCore

/// Something about a target that works and that its user should know.
package enum TargetWarning: Hashable, Sendable {
    case plainPassword(host: String)
    case sharedPassword(hosts: [String])
}

extension TargetWarning: CustomStringConvertible {
    package var description: String {
        switch self {
        case .plainPassword(let host):
            "the connection to \(VisibleText.of(host)) is not encrypted: others in the network can read the password"
        case .sharedPassword(let hosts):
            "the same password is sent to \(hosts.map(VisibleText.of).joined(separator: ", "))"
        }
    }
}

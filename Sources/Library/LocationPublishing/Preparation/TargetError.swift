import LocationCore

/// A reason for which a target cannot be used with its options.
public struct TargetError: Error, Hashable, Sendable {
    /// The target, unless the reason concerns all of them.
    package let target: TargetWord?
    /// The reason.
    package let fault: TargetFault

    /// Creates an error.
    package init(_ fault: TargetFault, _ target: TargetWord? = nil) {
        self.target = target
        self.fault = fault
    }
}

extension TargetError: CustomStringConvertible {
    /// A message for people, with the target and without any secret.
    public var description: String { (target.map { "\($0): " } ?? "") + fault.description }
}

/// A reason for which targets and their options do not fit.
package enum TargetFault: Error, Hashable, Sendable {
    /// An option was given that no target can use.
    case unusedOption(TargetOption)
    /// The device has no name, and neither has the machine.
    case missingDeviceName
    /// The user of an OwnTracks server is missing.
    case missingUser
    /// The name of the device cannot be part of a topic.
    case deviceName(MQTTTopicFault)
    /// Two targets would use the same name of the client at one broker, which ends the connection of the other each time.
    case sharedClientID(String)
    /// A password was given without a user.
    case passwordWithoutUser
    /// A key was given without a certificate.
    case keyWithoutCertificate
    /// A request cannot be made of the options.
    case request(HTTPError)
    /// The same target was named twice.
    case duplicate
    /// A word is not a target.
    case word(TargetWordError)
}

extension TargetFault: CustomStringConvertible {
    /// A message for people, without any secret.
    package var description: String {
        switch self {
        case .unusedOption(let option): "\(option.rawValue) was given, and no target can use it"
        case .missingDeviceName: "the device needs a name, because this machine has none"
        case .missingUser: "the user is missing, as in owntracks+https://USER@HOST/pub"
        case .deviceName(let fault): "the name of the device cannot be used: \(fault)"
        case .sharedClientID(let name):
            "two targets would connect to one broker as \"\(VisibleText.of(name))\", and each would end the other's connection"
        case .passwordWithoutUser: "a password was given without a user, as in mqtts://USER@HOST"
        case .keyWithoutCertificate: "a key was given without its certificate"
        case .request(let error): error.description
        case .duplicate: "the target was named twice"
        case .word(let error): error.description
        }
    }
}

/// Something about a target that works and that its user should know.
package enum TargetWarning: Hashable, Sendable {
    /// A password or a token is sent over a connection that is not encrypted.
    case plainPassword(host: String)
    /// One password is sent to several servers.
    case sharedPassword(hosts: [String])
}

extension TargetWarning: CustomStringConvertible {
    /// A message for people.
    package var description: String {
        switch self {
        case .plainPassword(let host):
            "the connection to \(VisibleText.of(host)) is not encrypted: others in the network can read the password"
        case .sharedPassword(let hosts):
            "the same password is sent to \(hosts.map(VisibleText.of).joined(separator: ", "))"
        }
    }
}

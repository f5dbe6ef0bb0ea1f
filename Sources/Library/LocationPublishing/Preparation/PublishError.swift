package import LocationCore

/// A reason for which records cannot be published: a target, its options, a publisher or its queue cannot be used.
///
/// The description is a message for people, without any secret.
public struct PublishError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure, as far as a program acts on it.
    package enum Cause: Hashable, Sendable {
        /// The word of a target, or an option.
        case usage
        /// The scheme of a word, which no target has.
        case unknownScheme(String)
        /// A way to a target, or a library that is not installed.
        case transport
        /// This user may not listen at the port of a target; the code is errno.
        case port(code: Int32)
        /// An entry of a target or a queue cannot be created or opened.
        case creation
        case disk
        /// The database of the queue, with the code and the message of SQLite.
        case database(code: Int32, message: String)
        /// The database was damaged, so that it was renamed, and a new one begun.
        case damage
        /// The system does not provide what a publisher needs.
        case system
    }

    package let cause: Cause
    /// The target, unless the reason concerns all of them or makes its word none.
    package let target: TargetWord?
    /// The reason, which never shows what could be a password.
    package let reason: String

    init(_ reason: String, _ cause: Cause = .usage, of target: TargetWord? = nil) {
        self.reason = reason
        self.cause = cause
        self.target = target
    }

    /// Creates an error for a reason that concerns a target.
    package init(_ error: PublishError, _ target: TargetWord?) {
        self.init(error.reason, error.cause, of: target)
    }

    /// A message for people, with the target and without any secret.
    public var description: String { (target.map { "\($0): " } ?? "") + reason }
}

// MARK: Options

extension PublishError {
    package static let missingDeviceName = PublishError("the device needs a name, because this machine has none")
    package static let missingUser = PublishError("the user is missing, as in owntracks+https://USER@HOST/pub")
    package static let passwordWithoutUser = PublishError(
        "a password was given without a user, as in mqtts://USER@HOST")
    package static let newestAndOrdered = PublishError("?newest and ?ordered exclude each other")
    package static let missingText = PublishError(
        "the text is missing: give a template with --body, as in '%{lat},%{lon}', or influx")
    package static let keyWithoutCertificate = PublishError("a key was given without its certificate")
    package static let duplicate = PublishError("the target was named twice")

    package static func unusedOption(_ option: TargetOption) -> PublishError {
        PublishError("\(option.rawValue) was given, and no target can use it")
    }

    package static func deviceName(_ error: PublishError) -> PublishError {
        PublishError("the name of the device cannot be used: \(error.reason)")
    }

    package static func sharedClientID(_ name: String) -> PublishError {
        PublishError(
            "two targets would connect to one broker as \"\(VisibleText.of(name))\", and each would end the other's connection"
        )
    }

    package static func request(_ error: HTTPError) -> PublishError { PublishError(error.description) }
}

// MARK: Words

extension PublishError {
    package static let noScheme = PublishError("it must begin with one of \(schemes)")
    package static let password = PublishError(
        "a password must not be in it, because other users could see it: use LOCWATCH_PASSWORD or --password-file")
    package static let unexpectedUser = PublishError("this kind of target has no user")
    package static let noHost = PublishError("the host is missing")
    package static let noPort = PublishError("the port is missing, as in udp+text://HOST:49002")
    package static let noPath = PublishError("the path is missing, or has a zero byte")
    /// The mode follows the template, which ends the word.
    package static let modeAfterTemplate = PublishError(
        "the mode must precede the template, as in file:PATH?mode=640&format=TEMPLATE")
    package static let ownTracksTopic = PublishError(
        "a topic in owntracks needs a user and a device, as in owntracks/USER/DEVICE")

    private static var schemes: String { TargetScheme.all.map(\.prefix).joined(separator: " ") }

    package static func unknownScheme(_ name: String) -> PublishError {
        PublishError(
            "unknown scheme \(VisibleText.of(name)); the schemes are \(schemes)", .unknownScheme(name))
    }

    package static func badHost(_ host: String) -> PublishError {
        PublishError(
            "\"\(VisibleText.of(host))\" is neither the name of a host nor an address; an IPv6 address needs brackets")
    }

    package static func badPort(_ port: String) -> PublishError {
        PublishError("the port \"\(VisibleText.of(port))\" is not a number from 1 to 65535")
    }

    package static func badMode(_ mode: String) -> PublishError {
        PublishError("the mode \"\(VisibleText.of(mode))\" is not an octal number up to 777, such as 640")
    }

    package static func unexpectedPath(_ path: String) -> PublishError {
        PublishError("unexpected \"\(VisibleText.of(path))\" after the host")
    }

    package static func unexpectedParameter(_ name: String) -> PublishError {
        PublishError("unexpected parameter \"\(VisibleText.of(name))\"")
    }

    package static func badParameter(_ name: String, allowed: String) -> PublishError {
        PublishError("the parameter \(name) must be \(allowed)")
    }

    package static func topic(_ fault: MQTTTopicFault) -> PublishError { PublishError(fault.rawValue) }

    package static func url(cause: String) -> PublishError { PublishError(cause) }

    package static func template(_ error: InvalidValue) -> PublishError { PublishError(error.description) }
}

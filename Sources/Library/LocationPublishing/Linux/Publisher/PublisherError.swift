import Glibc
import LocationCore
package import LocwatchPlatform

/// A reason for which a publisher cannot be started; its description is a message for people, without any secret.
public struct PublisherError: Error, Hashable, Sendable {
    package enum Detail: Hashable, Sendable {
        /// The queue cannot be opened.
        case queue(QueueError)
        /// Records cannot be sent to a target by HTTP, such as because libcurl is not installed.
        case http(TargetWord, HTTPError)
        /// Records cannot be sent to a target by MQTT, such as because libmosquitto is not installed.
        case mqtt(TargetWord, MQTTError)
        /// The path of a target cannot be used, such as because something is there already.
        case path(TargetWord, SystemFailure)
        /// This user may not listen at the port of a target.
        case port(TargetWord, SystemFailure)
        /// The system does not provide what the publisher needs.
        case system(SystemFailure)
    }

    package let detail: Detail

    package init(_ detail: Detail) { self.detail = detail }
}

extension PublisherError: CustomStringConvertible {
    /// A message for people, without any secret.
    public var description: String {
        switch detail {
        case .queue(let error): error.description
        case .http(let target, let error): "\(target): \(error)"
        case .mqtt(let target, let error): "\(target): \(error)"
        case .path(let target, let failure):
            "\(target): " + VisibleText.of(failure.description)
                + (failure.code == EEXIST ? "; remove it, or choose another path" : "")
        case .port(let target, let failure): "\(target): \(failure)"
        case .system(let failure): failure.description
        }
    }
}

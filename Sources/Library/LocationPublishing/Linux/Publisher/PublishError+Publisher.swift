import Glibc
import LocationCore
import LocwatchPlatform

// The reasons for which a publisher cannot be started.
extension PublishError {
    /// Records cannot be sent to a target, such as because libcurl or libmosquitto is not installed.
    static func transport(_ error: any Error, of target: TargetWord) -> PublishError {
        PublishError("\(error)", .transport, of: target)
    }

    static func port(_ failure: SystemFailure, of target: TargetWord) -> PublishError {
        PublishError("\(failure)", .port(code: failure.code), of: target)
    }

    /// The path of a target cannot be used, such as because something is there already.
    static func path(_ failure: SystemFailure, of target: TargetWord) -> PublishError {
        let advice = failure.code == EEXIST ? "; remove it, or choose another path" : ""
        let cause: Cause = [ENOSPC, EDQUOT].contains(failure.code) ? .disk : .creation
        return PublishError(VisibleText.of(failure.description) + advice, cause, of: target)
    }

    static func system(_ failure: SystemFailure) -> PublishError { PublishError("\(failure)", .system) }
}

import LocationCore
import LocwatchSupport

@testable import LocationGPSD

/// A conversation with a gpsd in an object, because `#expect` cannot call what changes a value that cannot be copied.
final class HeldConversation {
    private var conversation: GPSDConversation

    init(
        _ endpoint: GPSDEndpoint, for request: LocationRequest = .everything, paths: [String: String] = [:],
        now: Moment
    ) {
        conversation = GPSDConversation(endpoint, for: request, paths: paths, now: now)
    }

    var deadline: Moment { conversation.deadline }
    var isOpen: Bool { conversation.isOpen }
    var hasReceivedReports: Bool { conversation.hasReceivedReports }

    func hear(
        _ chunk: UnsafeRawBufferPointer, at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        try conversation.hear(chunk, at: moment, into: &updates)
    }

    func expire(at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) {
        try conversation.expire(at: moment, into: &updates)
    }

    func end(at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) {
        conversation.end(at: moment, into: &updates)
    }

    func broken(_ cause: String) -> LocationError { conversation.broken(cause) }

    func takeCommands() -> String? { conversation.takeCommands() }
}

import LocationCore
import LocwatchSupport

/// The state that OwnTracks' subscribers know of a device, so that no message contradicts or repeats another.
final class OwnTracksSession: Sendable {
    private struct Content {
        /// The fences in which the device is, with the time of the event.
        var entered: [String: Timestamp] = [:]
        /// The times at which fences were left, for records that are sent again.
        var left: [String: Timestamp] = [:]
        var seconds = RecentSeconds()
    }

    private let content = Lock(Content())

    /// Returns whether an event at a fence is published: a leave only after an enter of the same session.
    ///
    /// Home Assistant ignores the positions of a device from an enter until its leave.
    func admits(_ kind: FenceEvent.Kind, _ name: String, at time: Timestamp) -> Bool {
        content.withLock { content in
            switch kind {
            case .inside, .enter:
                if let known = content.entered[name] { return known == time }
                content.entered[name] = time
                return true
            case .exit:
                if content.left[name] == time { return true }
                guard content.entered.removeValue(forKey: name) != nil else { return false }
                content.left[name] = time
                return true
            case .dwell: return false
            }
        }
    }

    /// Returns whether the position of a record is published: only the first one of each second, because the messages
    /// contain whole seconds.
    func isNew(_ record: PublishRecord) -> Bool {
        switch record.occasion {
        case .moved, .found: content.withLock { $0.seconds.insert(record.time.wholeSeconds, record.time) }
        case .heartbeat, .manual: true
        // A loss and a fence event contain a position that was already published.
        case .lost, .fence: false
        }
    }
}

/// The seconds for which a position was published, so that one sent again after a failure is not taken for another.
private struct RecentSeconds {
    /// The number of seconds that are remembered.
    private static let limit = 4096
    private var times: [Int: Timestamp] = [:]
    private var order: [Int] = []

    mutating func insert(_ second: Int, _ time: Timestamp) -> Bool {
        if let known = times[second] { return known == time }
        times[second] = time
        order.append(second)
        if order.count > Self.limit {
            for old in order.prefix(Self.limit / 2) { times[old] = nil }
            order.removeFirst(Self.limit / 2)
        }
        return true
    }
}

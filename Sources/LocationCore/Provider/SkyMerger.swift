import LocwatchSupport

/// Makes each report of satellites whole, without waiting for the others of its epoch.
///
/// gpsd reports the satellites of an epoch in parts; see `SkySettler`. What a part lacks is taken from the parts before it, and
/// from the epoch before until the new one has it. A satellite that has set is therefore shown for one more epoch.
package struct SkyMerger: Sendable {
    private struct Receiver {
        /// The merged reports of the current epoch, which began at the moment.
        var parts: SkyView?
        var beginning = Duration.zero
        /// The merged reports of the epoch before.
        var previous: SkyView?
    }

    /// The number of receivers whose reports are merged; those of others stay as they are.
    private static let limit = 64
    private var receivers = PerDevice<Receiver>()

    package init() {}

    /// Returns an update with a whole view of the satellites instead of a part; other updates stay as they are.
    package mutating func merged(_ update: LocationUpdate) -> LocationUpdate {
        switch update.event {
        case .satellites(let sky):
            guard receivers.count < Self.limit || receivers[sky.device] != nil else { return update }
            return LocationUpdate(.satellites(merged(sky, at: update.moment.elapsed)), at: update.moment)
        case .location(let location) where location.revision == 0:
            if receivers[location.device]?.parts != nil {
                endEpoch(of: receivers.place(of: location.device, default: Receiver()))
            }
        case .location, .searching, .failure, .device, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        return update
    }

    private mutating func endEpoch(of place: Int) {
        receivers[place: place].previous = receivers[place: place].parts.take() ?? receivers[place: place].previous
    }

    private mutating func merged(_ sky: SkyView, at elapsed: Duration) -> SkyView {
        let place = receivers.place(of: sky.device, default: Receiver())
        if let parts = receivers[place: place].parts {
            let isOver = elapsed - receivers[place: place].beginning >= EpochSettler.limit
            if isOver || parts.isOfAnotherEpoch(than: sky) { endEpoch(of: place) }
        }
        if receivers[place: place].parts == nil { receivers[place: place].beginning = elapsed }
        var parts = sky
        if let before = receivers[place: place].parts { parts.complete(with: before) }
        receivers[place: place].parts = parts
        guard let previous = receivers[place: place].previous else { return parts }
        var whole = parts
        whole.complete(with: previous)
        // Without a list the counts of a part are as small as its part.
        if parts.satellites == nil {
            whole.satellites = nil
            whole.seen = [parts.seen, previous.seen].compactMap(\.self).max()
            whole.used = [parts.used, previous.used].compactMap(\.self).max()
        }
        // The dilutions of a part are those of its satellites only.
        if let own = parts.satellites, let all = whole.satellites, own.count < all.count {
            whole.dilution = previous.dilution
            whole.dilution.complete(with: parts.dilution)
        }
        whole.timestamp = parts.timestamp
        return whole
    }
}

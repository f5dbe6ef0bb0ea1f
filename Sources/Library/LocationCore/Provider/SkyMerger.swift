import LocwatchSupport

/// Makes each report of satellites whole, without waiting for the others of its epoch.
///
/// gpsd reports the satellites of an epoch in parts; see `SkySettler`. A part is completed with the earlier parts of its epoch.
/// The later parts have not arrived yet: those of the previous epoch stand in for them. A satellite that has set is gone as
/// soon as its part is reported again.
package struct SkyMerger: Sendable {
    private struct Receiver {
        /// The merged reports of the current epoch, which began at the moment.
        var parts: SkyView?
        var beginning = Duration.zero
        /// The reports of the current epoch.
        var reports: [SkyView] = []
        /// The reports of the epoch before, and the dilutions of all of them.
        var previous: (reports: [SkyView], dilution: DilutionOfPrecision) = ([], DilutionOfPrecision())
    }

    /// The number of receivers whose reports are merged; those of others stay as they are.
    private static let limit = 64
    /// The number of reports of an epoch that are kept; receivers send one for each system.
    private static let mostParts = 8
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
        guard let parts = receivers[place: place].parts.take() else { return }
        receivers[place: place].previous = (receivers[place: place].reports, parts.dilution)
        receivers[place: place].reports = []
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
        if receivers[place: place].reports.count < Self.mostParts { receivers[place: place].reports.append(sky) }
        let previous = receivers[place: place].previous
        let expected = previous.reports.dropFirst(receivers[place: place].reports.count)
        guard !expected.isEmpty else { return parts }
        var whole = parts
        for part in expected.reversed() { whole.complete(with: part) }
        // Without a list the counts of a part are as small as its part.
        if parts.satellites == nil {
            whole.satellites = nil
            whole.seen = ([parts.seen] + expected.map(\.seen)).compactMap(\.self).max()
            whole.used = ([parts.used] + expected.map(\.used)).compactMap(\.self).max()
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

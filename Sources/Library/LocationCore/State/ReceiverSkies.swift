import LocwatchSupport

/// The satellites that each receiver reported last, which belong to its next positions.
package struct ReceiverSkies: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var view: SkyView
        var elapsed: Duration
    }

    /// The time for which a view applies to later positions.
    private static let life = Duration.seconds(10)

    private var entries = PerDevice<Entry?>()
    private let keepsSatellites: Bool

    /// Creates the skies of receivers that have reported nothing.
    package init(keepsSatellites: Bool) { self.keepsSatellites = keepsSatellites }

    package mutating func note(_ sky: SkyView, at elapsed: Duration) {
        var sky = sky
        // A report without a satellite list does not change the satellites known before.
        if sky.satellites == nil, let known = entries[sky.device, default: nil]?.view {
            sky.seen = sky.seen ?? known.seen
            sky.used = sky.used ?? known.used
            sky.satellites = known.satellites
        }
        if !keepsSatellites { sky.satellites = nil }
        entries[sky.device, default: nil] = Entry(view: sky, elapsed: elapsed)
    }

    /// Notes that a search has ended with a position: satellites of which none is used are those of the search.
    package mutating func endSearch(of device: String?) {
        if entries[device, default: nil]?.view.used == 0 { entries[device, default: nil]?.view.used = nil }
    }

    /// Returns the view that belongs to a position of a receiver, if any.
    package func sky(of device: String?, at elapsed: Duration) -> SkyView? {
        guard let entry = entries[device] ?? nil, elapsed - entry.elapsed <= Self.life else { return nil }
        return entry.view
    }
}

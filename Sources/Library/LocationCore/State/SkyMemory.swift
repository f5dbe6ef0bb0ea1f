package import LocwatchSupport

/// The last satellites of a receiver, from which its positions get theirs.
///
/// It decides which satellites belong to a position: those of its epoch if they came before it, or else those of an earlier
/// one for a short time, and none afterwards, because many receivers report satellites only every few seconds, and some stop. A
/// position never waits for its satellites.
///
/// It is used where epochs are made, and the update of a position carries the result, so nothing else joins the two.
package struct SkyMemory: Sendable {
    /// The time for which satellites belong to later positions.
    package static let life = Duration.seconds(10)

    /// The last view, completed by earlier ones.
    private var last: SkyView?
    private var noted = Duration.zero
    /// The session time of the last list or number of satellites, and of the last dilutions.
    private var (listed, measured) = (Duration.zero, Duration.zero)
    /// Whether the last view has satellites of which none is used.
    private var isUnused = false

    package init() {}

    /// Notes a view, and returns it with what the last ones contain and it lacks.
    ///
    /// A report without a list, counts or dilutions leaves the last ones valid. Later releases of gpsd send many of them.
    @discardableResult
    package mutating func note(_ sky: SkyView, at moment: Moment) -> SkyView {
        let now = moment.elapsed
        let (facts, hasList) = (sky.facts, sky.facts.list != nil)
        let hasDilution = facts.dilution != DilutionOfPrecision()
        var whole = sky
        if !hasList || !hasDilution, let last, now - noted <= Self.life {
            let known = last.facts
            var (completed, census) = (facts, sky.census)
            if !hasList, now - listed <= Self.life, known.hasCounts {
                (completed.list, completed.isListed, census) = (known.list, known.isListed, last.census)
                completed.seen = facts.seen ?? known.seen
                completed.used = facts.used ?? known.used
            }
            if !hasDilution, now - measured <= Self.life { completed.dilution = known.dilution }
            whole = SkyView(completed, census)
        }
        if hasList || facts.seen != nil { listed = now }
        if hasDilution { measured = now }
        (last, noted, isUnused) = (whole, now, whole.used == 0)
        return whole
    }

    /// Returns the satellites that belong to a position, if any.
    package func sky(of position: Location, at moment: Moment) -> SkyView? {
        guard var sky = last, moment.elapsed - noted <= Self.life else { return nil }
        // The view of a search, or one that is not complete.
        if isUnused, position.quality.isOfSatellites { sky.used = nil }
        return sky
    }
}

extension PerDevice<SkyMemory> {
    /// Returns an update of any receiver with the satellites that belong to it.
    package mutating func joined(_ update: LocationUpdate) -> LocationUpdate {
        var update = update
        switch update.event {
        case .satellites(let sky):
            update.sky = self[sky.device, default: SkyMemory()].note(sky, at: update.moment)
        case .location(let location): update.sky = self[location.device]?.sky(of: location, at: update.moment)
        default: break
        }
        return update
    }
}

extension SkyFacts {
    /// Whether satellites are listed or counted.
    fileprivate var hasCounts: Bool { list != nil || seen != nil || used != nil }
}

extension FixQuality {
    /// Whether a fix of this quality uses satellites.
    fileprivate var isOfSatellites: Bool {
        switch self {
        case .ordinary, .differential, .rtkFixed, .rtkFloat, .precisionCode: true
        case .deadReckoning, .satellitesAndDeadReckoning, .surveyedTime, .simulated, .other: false
        }
    }
}

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

    /// The last view, completed by earlier ones, by reference.
    private var event: LocationEvent?
    private var noted = Duration.zero
    /// The session time of the last list or number of satellites, and of the last dilutions.
    private var (listed, measured) = (Duration.zero, Duration.zero)
    /// Whether the last view has satellites of which none is used.
    private var isUnused = false

    package init() {}

    /// Notes a view and its event, and returns the view with what the last ones contain and it lacks.
    ///
    /// A report without a list, counts or dilutions leaves the last ones valid. Later releases of gpsd send many of them.
    @discardableResult
    package mutating func note(_ sky: SkyView, _ event: LocationEvent, at moment: Moment) -> LocationEvent {
        let now = moment.elapsed
        let hasList = sky.satellites != nil || sky.figures != nil
        let hasDilution = sky.dilution != DilutionOfPrecision()
        var whole = sky
        var isCompleted = false
        if !hasList || !hasDilution, let known = self.event?.skyView, now - noted <= Self.life {
            if !hasList, now - listed <= Self.life, known.hasCounts {
                (whole.satellites, whole.figures) = (known.satellites, known.figures)
                whole.seen = sky.seen ?? known.seen
                whole.used = sky.used ?? known.used
                isCompleted = true
            }
            if !hasDilution, now - measured <= Self.life {
                whole.dilution = known.dilution
                isCompleted = true
            }
        }
        if hasList || sky.seen != nil { listed = now }
        if hasDilution { measured = now }
        let last = isCompleted ? .satellites(whole) : event
        (self.event, noted, isUnused) = (last, now, whole.used == 0)
        return last
    }

    /// Returns the satellites that belong to a position, if any, as an event, which is a reference.
    package func sky(of position: LocationEvent, at moment: Moment) -> LocationEvent? {
        guard let event, moment.elapsed - noted <= Self.life else { return nil }
        guard isUnused, let fix = position.location, fix.quality.isOfSatellites, var sky = event.skyView else {
            return event
        }
        // The view of a search, or one that is not complete.
        sky.used = nil
        return .satellites(sky)
    }
}

extension PerDevice<SkyMemory> {
    /// Returns an update of any receiver with the satellites that belong to it.
    package mutating func joined(_ update: LocationUpdate) -> LocationUpdate {
        var update = update
        switch update.event {
        case .satellites(let sky):
            update.skyEvent = self[sky.device, default: SkyMemory()].note(sky, update.event, at: update.moment)
        case .location(let location):
            update.skyEvent = self[location.device]?.sky(of: update.event, at: update.moment)
        default: break
        }
        return update
    }
}

extension SkyView {
    /// Whether satellites are listed or counted.
    fileprivate var hasCounts: Bool { satellites != nil || figures != nil || seen != nil || used != nil }
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

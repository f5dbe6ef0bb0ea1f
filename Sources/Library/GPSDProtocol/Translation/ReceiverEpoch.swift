import LocationCore

/// The current epoch of a receiver: the values of its reports, and the parts that wait to be emitted.
///
/// It decides which reports belong to the epoch, and when the epoch is whole; `EpochAssembler` decides when its parts are emitted. All
/// methods are mutating, because a call that changes nothing copies the value.
struct ReceiverEpoch {
    /// A position that waits for further reports of its epoch.
    struct Held {
        var location: Location
        var fields: EpochFields
        /// The positions of the reports before this one, if all came at one moment and without a time.
        var earlier: [Location] = []

        init(_ location: Location) {
            self.location = location
            fields = EpochFields(location)
        }

        var timestamp: Timestamp? { location.timestamp }
    }

    /// The current epoch, with the values of all its reports, emitted or not.
    var epoch: Location?
    /// The moment of the first report of the current epoch of a live session, if that has no time.
    var untimed: Moment?
    /// The position that waits, and the moment at which it is emitted.
    var held: Held?
    var due: Moment?
    /// The last epoch that was emitted, and its fields.
    var emitted: (timestamp: Timestamp?, fields: EpochFields)?
    var late = LateFields()
    /// Whether the satellites of recent epochs came in parts.
    var skyParts = LateParts()
    /// The satellites that were emitted without waiting for further parts, and the moment of that.
    var firstSky: (view: SkyView, moment: Moment)?
    /// The merged satellites that wait, and the moment at which they are emitted.
    var sky: SkyView?
    var skyDue: Moment?
    /// The attitude that waits for a position.
    var attitude = PendingAttitude()
    /// Whether the receiver gives positions, as far as it has told.
    var givesPositions = false
    /// The moment of the first report of the current epoch.
    var begun: Moment?
    /// The satellites that were emitted last, for the positions after them.
    var skies = SkyMemory()

    /// Returns whether a report belongs to the current epoch.
    ///
    /// - Parameter arrival: The moment at which the report of a live session arrived; `nil` in a recording.
    mutating func isOfCurrentEpoch(_ report: Location, arrival: Moment?) -> Bool {
        if let arrival, let untimed, epoch?.coordinate == report.coordinate,
            untimed.duration(to: arrival) <= Location.assemblyLimit
        {
            return true
        }
        guard report.timestamp != nil, report.timestamp == epoch?.timestamp else { return false }
        return !isAfterLeapSecond(report)
    }

    /// Returns whether a report is of the second after a leap second, as which gpsd reports the leap second, too.
    private mutating func isAfterLeapSecond(_ report: Location) -> Bool {
        guard held == nil, let time = report.timestamp, time.nanosecondsSince1970 % 86_400_000_000_000 == 0 else {
            return false
        }
        let date = time.civil
        return date.day == 1 && (date.month == 1 || date.month == 7) && epoch?.coordinate != report.coordinate
    }

    /// Returns whether the first report of an epoch is older than the current epoch.
    mutating func isLate(_ report: Location) -> Bool {
        guard let time = report.timestamp, let before = epoch?.timestamp else { return false }
        return time < before
    }

    /// Begins an epoch with its first report, and returns whether that has the coordinate of the epoch before.
    mutating func begin(_ location: Location, arrival: Moment?, at moment: Moment) -> Bool {
        let hasMoved = epoch?.coordinate != location.coordinate
        (givesPositions, begun) = (true, moment)
        untimed = location.timestamp == nil ? arrival : nil
        epoch = location
        // Satellites without a time that come now are those of this epoch.
        if firstSky?.view.timestamp == nil { firstSky = nil }
        return !hasMoved
    }

    /// Adds a further report to the current epoch, and returns the whole; returns `nil` if it adds nothing.
    mutating func merge(_ report: Location, isQualityKnown: Bool) -> Location? {
        guard let known = epoch else { return nil }
        if report.timestamp != nil { untimed = nil }
        return replace(known, by: known.merged(with: report, qualityIsKnown: isQualityKnown))
    }

    /// Adds the attitude of the current epoch, and returns the whole; returns `nil` if it adds nothing.
    mutating func merge(_ attitude: Attitude) -> Location? {
        guard let known = epoch else { return nil }
        var merged = known
        merged.take(attitude)
        return replace(known, by: merged)
    }

    private mutating func replace(_ known: Location, by merged: Location) -> Location? {
        guard merged != known else { return nil }
        epoch = merged
        return merged
    }

    /// Notes the fields of an attitude that came when its epoch had been emitted, so that the next epochs wait for them.
    mutating func expectLater(_ attitude: Attitude) {
        guard var location = epoch else { return }
        location.take(attitude)
        expectLater(EpochFields(location))
    }

    /// Returns whether no report of the same epoch is expected to add a field to a position.
    mutating func isComplete(_ position: Held) -> Bool {
        guard let emitted else { return false }
        // A position without a time waits for one if its receiver has reported times; one with a time is more than those
        // without. In a recording, each report without a time is an epoch.
        guard (position.timestamp == nil) == (emitted.timestamp == nil) else { return false }
        if position.timestamp == nil, untimed == nil { return true }
        return emitted.fields.union(late.recent).isSubset(of: position.fields)
    }

    /// Whether the current epoch began so short a time ago that a report without a time can be of it.
    mutating func hasBegun(at moment: Moment) -> Bool {
        begun.map { $0.duration(to: moment) <= Location.assemblyLimit } ?? false
    }

    /// Whether a position waits, and its time.
    var isHolding: Bool { mutating get { held != nil } }
    var heldTime: Timestamp? { mutating get { held?.timestamp } }
    /// The position that waits, if it has no time, so that further reports of its coordinate are of its epoch.
    var heldWithoutTime: Held? { mutating get { heldTime == nil ? held : nil } }

    /// The earlier of the moments at which something is emitted.
    var nextDue: Moment? {
        mutating get {
            [due, skyDue, attitude.due].compactMap(\.self).min()
        }
    }

    /// Returns whether the position that waits is of an epoch before satellites, and whether those that wait are of another epoch.
    mutating func parts(before sky: SkyView) -> (position: Bool, sky: Bool) {
        guard let time = sky.timestamp else { return (false, false) }
        return (heldTime.map { $0 < time } ?? false, self.sky?.timestamp.map { $0 != time } ?? false)
    }

    /// Adds satellites to those of their epoch, and returns what is to be emitted at once.
    ///
    /// The first part waits if further parts came in recent epochs. A part that comes after the first one was emitted is emitted with
    /// it, and the next epochs wait.
    mutating func add(_ part: SkyView, at moment: Moment) -> SkyView? {
        if let before = sky {
            skyParts.note()
            sky = part.completed(by: before)
            return nil
        }
        if let first = firstSky, part.isOfEpoch(of: first.view, after: first.moment.duration(to: moment)) {
            skyParts.note()
            let whole = part.completed(by: first.view)
            firstSky = (whole, moment)
            return whole
        }
        skyParts.beginEpoch()
        guard skyParts.isExpected else {
            firstSky = (part, moment)
            return part
        }
        (sky, firstSky) = (part, nil)
        skyDue = moment.advanced(by: Location.assemblyLimit)
        return nil
    }

    /// Notes the fields that a report adds to the position that waits, or to an epoch that was emitted without them.
    mutating func expectLater(_ fields: EpochFields) {
        late.note(fields.subtracting(held?.fields ?? emitted?.fields ?? []))
    }
}

extension SkyView {
    /// Returns whether the view is a part of the same epoch as an earlier one; most parts have no time.
    fileprivate func isOfEpoch(of earlier: SkyView, after time: Duration) -> Bool {
        guard let own = timestamp, let before = earlier.timestamp else { return time <= Location.assemblyLimit }
        return own == before
    }
}

package import LocationCore
package import LocwatchSupport

/// An assembler of gpsd's reports to one position and one view of the satellites for each epoch of a receiver.
///
/// gpsd reports an epoch in parts, mostly at the start of a session. A position is emitted when a report has every field
/// that the receiver's previous epoch had and that later reports of recent epochs brought, when the next epoch begins, or
/// `Location.assemblyLimit` after its first report; in the steady state nothing is delayed. A part that comes after its epoch
/// was emitted is dropped, but later epochs wait for what it adds. A report without a time is an epoch of its own, except
/// before the receiver has the time: gpsd then reports the coordinate of one epoch up to six times.
///
/// Of two accuracies of an epoch, the smaller one counts while the later value lies within it, because then both can be
/// true. A receiver that sends two protocols states its accuracy in one of them; for the report of the other, gpsd
/// estimates it from the dilution of precision, up to 200 times larger.
///
/// The satellites come in parts too: a growing list, a list for each system, or dilutions without a list. Most parts have
/// no time. Their view is emitted when the receiver's next epoch begins, as its time or a position shows, or
/// `Location.assemblyLimit` after its first part. The update of a position carries the satellites that belong to it, as
/// `SkyMemory` knows them; those of its epoch are emitted before it if they came before it.
///
/// An attitude comes in reports of its own. It belongs to the epoch of its receiver with the same time; without a time, to the one in
/// which it comes: that which waits, or else that which begins within `Location.assemblyLimit`. An attitude that belongs to no position
/// is emitted by itself, at once if its receiver gives no position.
///
/// The assembler has no clock: callers pass moments in, call `expire` at `deadline`, and take the `updates`.
package struct EpochAssembler: Sendable {
    /// The state of a receiver.
    ///
    /// Positions and satellites are kept as the events that emit them, which are references: with copies of the values, reading with
    /// `watch -j` took 3 % more instructions. All methods are mutating, because a call that changes nothing copies the value.
    private struct Receiver {
        /// A position that waits for further reports of its epoch.
        struct Held {
            var event: LocationEvent
            var timestamp: Timestamp?
            var fields: EpochFields
            /// The positions of the reports before this one, if all came at one moment and without a time.
            var earlier: [LocationEvent] = []

            init(_ location: Location, _ event: LocationEvent) {
                self.event = event
                timestamp = location.timestamp
                fields = EpochFields(location)
            }
        }

        /// The merged satellites of an epoch.
        struct Sky {
            var event: LocationEvent
            var timestamp: Timestamp?
        }

        /// The current epoch, with the values of all its reports, emitted or not.
        var epoch: (event: LocationEvent, timestamp: Timestamp?, coordinate: Coordinate)?
        /// The moment of the first report of the current epoch of a live session, if that has no time.
        var untimed: Moment?
        /// The position that waits, and the moment at which it is emitted.
        var held: Held?
        var due: Moment?
        /// The last epoch that was emitted, and its fields.
        var emitted: (timestamp: Timestamp?, fields: EpochFields)?
        var late = LateFields()
        /// The satellites that wait, and the moment at which they are emitted.
        var sky: Sky?
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
        mutating func begin(
            _ location: Location, _ event: LocationEvent, arrival: Moment?, at moment: Moment
        ) -> Bool {
            let hasMoved = epoch?.coordinate != location.coordinate
            (givesPositions, begun) = (true, moment)
            untimed = location.timestamp == nil ? arrival : nil
            epoch = (event, location.timestamp, location.coordinate)
            return !hasMoved
        }

        /// Adds a further report to the current epoch, and returns the whole; returns `nil` if it adds nothing.
        mutating func merge(_ report: Location, isQualityKnown: Bool) -> (location: Location, event: LocationEvent)? {
            guard let known = epoch?.event.location else { return nil }
            if report.timestamp != nil { untimed = nil }
            var merged = known.merged(with: report, qualityIsKnown: isQualityKnown)
            merged.keepSmallerAccuracies(of: known)
            merged.isLate = known.isLate
            merged.received = known.received
            guard merged != known else { return nil }
            let event = LocationEvent.location(merged)
            epoch = (event, merged.timestamp, merged.coordinate)
            return (merged, event)
        }

        /// Adds the attitude of the current epoch, and returns the whole; returns `nil` if it adds nothing.
        mutating func merge(_ attitude: Attitude) -> (location: Location, event: LocationEvent)? {
            guard let known = epoch?.event.location else { return nil }
            var merged = known
            merged.take(attitude)
            guard merged != known else { return nil }
            let event = LocationEvent.location(merged)
            epoch?.event = event
            return (merged, event)
        }

        /// Notes the fields of an attitude that came when its epoch had been emitted, so that the next epochs wait for them.
        mutating func noteLate(_ attitude: Attitude) {
            guard var location = epoch?.event.location else { return }
            location.take(attitude)
            noteLate(EpochFields(location))
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

        /// Whether satellites are of another epoch than those that wait.
        mutating func hasSky(ofAnotherEpochThan part: SkyView) -> Bool {
            guard let time = part.timestamp, let before = sky?.timestamp else { return false }
            return time != before
        }

        /// Adds satellites to those of their epoch.
        mutating func add(_ part: SkyView, _ event: LocationEvent, at moment: Moment) {
            guard case .satellites(let before)? = sky?.event else {
                sky = Sky(event: event, timestamp: part.timestamp)
                skyDue = moment.advanced(by: Location.assemblyLimit)
                return
            }
            var merged = part
            merged.complete(with: before)
            sky = Sky(event: .satellites(merged), timestamp: merged.timestamp)
        }

        /// Notes the fields that a report adds to the position that waits, or to an epoch that was emitted without them.
        mutating func noteLate(_ fields: EpochFields) {
            late.note(fields.subtracting(held?.fields ?? emitted?.fields ?? []))
        }
    }

    /// The updates so far, which the owner takes.
    package var updates = ReusedQueue<LocationUpdate>()
    /// Whether each device is a machine with a name, the subject of its updates, each of whose reports is an epoch.
    package var namesSubjects = false
    /// The only device whose reports count, if a client watches one: gpsd's lists, and its answer to `?POLL;`, cover all of them.
    var watched: String?
    /// The number of parts of epochs, whose positions and satellites may be emitted later.
    private(set) var partCount = 0
    private var receivers = PerDevice<Receiver>()
    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Creates an assembler for a new session.
    package init() {}

    /// Processes an event, and emits the epochs that are whole before it, if it shows that they are.
    package mutating func process(_ event: LocationEvent, at moment: Moment) {
        guard concerns(event) else { return }
        expire(at: moment)
        switch event {
        // A position is emitted before the event that reports its loss.
        case .searching(_, let device?):
            if let place = receivers.index(of: device) {
                release(place, at: moment)
                receivers[place: place].givesPositions = false
            }
        case .searching(_, nil), .failure:
            finish(at: moment)
            for place in 0..<receivers.count { receivers[place: place].givesPositions = false }
        case .satellites(let sky):
            partCount &+= 1
            return namesSubjects ? pass(sky, event, at: moment) : process(sky, event, at: moment)
        case .location, .attitude, .device, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        updates.append(LocationUpdate(event, at: moment).about(namesSubjects ? event.device : nil))
    }

    /// Processes a part of the position of an epoch.
    ///
    /// - Parameters:
    ///   - isQualityKnown: Whether the report names the quality of its fix.
    ///   - isLive: Whether the report comes from a live session, so that the moment is that of its arrival.
    package mutating func process(
        _ report: consuming Location, isQualityKnown: Bool, isLive: Bool, at moment: Moment
    ) {
        if let watched, let device = report.device, device != watched { return }
        partCount &+= 1
        expire(at: moment)
        let place = receivers.place(of: report.device, default: Receiver())
        let arrival = isLive ? moment : nil
        if receivers[place: place].isOfCurrentEpoch(report, arrival: arrival) {
            guard let merged = receivers[place: place].merge(report, isQualityKnown: isQualityKnown) else { return }
            return extend(place, merged.location, merged.event, at: moment)
        }
        if receivers[place: place].isLate(report) { report.isLate = true }
        takeAttitude(for: &report, place, at: moment)
        begin(place, report, arrival: arrival, at: moment)
    }

    /// Returns whether an event concerns the watched device; the presence of other devices is reported too.
    private func concerns(_ event: LocationEvent) -> Bool {
        guard let watched, let device = event.device, device != watched else { return true }
        return if case .device = event { true } else { false }
    }

    /// Emits the epochs whose deadline has passed, each as of its deadline.
    package mutating func expire(at moment: Moment) {
        while let due = deadline, due <= moment {
            for place in 0..<receivers.count {
                if receivers[place: place].skyDue == due { releaseSky(place, at: due) }
                if receivers[place: place].due == due { releasePosition(place, at: due) }
                if receivers[place: place].attitude.due == due { releaseAttitude(place, at: due) }
            }
            updateDeadline()
        }
    }

    /// Emits all epochs that are held, because the session has ended or failed.
    package mutating func finish(at moment: Moment) {
        expire(at: moment)
        guard deadline != nil else { return }
        for place in 0..<receivers.count { release(place, at: moment) }
    }

    // MARK: Positions

    /// Processes the current epoch with what a further report has added.
    private mutating func extend(_ place: Int, _ location: Location, _ event: LocationEvent, at moment: Moment) {
        if namesSubjects { return updates.append(update(event, place, at: moment).about(location.device)) }
        let position = Receiver.Held(location, event)
        receivers[place: place].noteLate(position.fields)
        if receivers[place: place].isHolding { settleOrHold(position, place, at: moment) }
    }

    /// Processes the first report of an epoch.
    private mutating func begin(_ place: Int, _ location: Location, arrival: Moment?, at moment: Moment) {
        let event = LocationEvent.location(location)
        let isSamePlace = receivers[place: place].begin(location, event, arrival: arrival, at: moment)
        if namesSubjects { return updates.append(update(event, place, at: moment).about(location.device)) }
        var position = Receiver.Held(location, event)
        if receivers[place: place].isHolding {
            if isSamePlace, let held = receivers[place: place].heldWithoutTime, let first = held.event.location {
                var continued = location
                continued.received = first.received
                position.event = .location(continued)
                let cameAtOnce = receivers[place: place].due == moment.advanced(by: Location.assemblyLimit)
                if cameAtOnce, location.timestamp == nil { position.earlier = held.earlier + [held.event] }
                if position.earlier.count == Self.mostReports { release(each: &position, place, at: moment) }
            } else {
                releasePosition(place, at: moment)
            }
        }
        // The satellites of the epoch before, or those of this one that came before its position.
        releaseSky(place, at: moment)
        settleOrHold(position, place, at: moment)
    }

    /// The number of reports without a time that can be one epoch though nothing tells when they arrived.
    ///
    /// A raw log has no arrivals, so that all of them come at one moment. gpsd 3.22 was seen to report an epoch six times.
    private static let mostReports = 8

    /// Emits the positions before one as epochs of their own.
    ///
    /// So many reports of one coordinate are those of a receiver that stands still, and never has the time.
    private mutating func release(each position: inout Receiver.Held, _ place: Int, at moment: Moment) {
        receivers[place: place].held = nil
        receivers[place: place].due = nil
        releaseSky(place, at: moment)
        for event in position.earlier {
            if let location = event.location { settle(Receiver.Held(location, event), place, at: moment) }
        }
        position.earlier = []
    }

    /// Emits a position if it is whole, or else holds it.
    private mutating func settleOrHold(_ position: Receiver.Held, _ place: Int, at moment: Moment) {
        if receivers[place: place].isComplete(position) {
            if receivers[place: place].held.take() != nil { releaseSky(place, at: moment) }
            receivers[place: place].due = nil
            settle(position, place, at: moment)
        } else {
            receivers[place: place].held = position
            receivers[place: place].due = receivers[place: place].due ?? moment.advanced(by: Location.assemblyLimit)
        }
        if deadline != nil || receivers[place: place].isHolding { updateDeadline() }
    }

    private mutating func settle(_ position: Receiver.Held, _ place: Int, at moment: Moment) {
        receivers[place: place].emitted = (position.timestamp, position.fields)
        receivers[place: place].late.beginEpoch()
        updates.append(update(position.event, place, at: moment))
    }

    /// Returns the update of a position with the satellites that belong to it.
    private mutating func update(_ position: LocationEvent, _ place: Int, at moment: Moment) -> LocationUpdate {
        var update = LocationUpdate(position, at: moment)
        update.skyEvent = receivers[place: place].skies.sky(of: position, at: moment)
        return update
    }

    private mutating func releasePosition(_ place: Int, at moment: Moment) {
        guard let position = receivers[place: place].held.take() else { return }
        receivers[place: place].due = nil
        // The satellites that came while the position was held are those of its epoch.
        releaseSky(place, at: moment)
        settle(position, place, at: moment)
    }

    // MARK: Satellites

    private mutating func process(_ sky: SkyView, _ event: LocationEvent, at moment: Moment) {
        let place = receivers.place(of: sky.device, default: Receiver())
        // The satellites of a later epoch must not be counted for the position.
        if let time = sky.timestamp, let held = receivers[place: place].heldTime, held < time {
            releasePosition(place, at: moment)
        }
        if receivers[place: place].hasSky(ofAnotherEpochThan: sky) { releaseSky(place, at: moment) }
        receivers[place: place].add(sky, event, at: moment)
        // Usually nothing else waits.
        if deadline == nil { deadline = receivers[place: place].nextDue } else { updateDeadline() }
    }

    private mutating func releaseSky(_ place: Int, at moment: Moment) {
        guard let sky = receivers[place: place].sky.take() else { return }
        receivers[place: place].skyDue = nil
        guard case .satellites(let view) = sky.event else { return }
        var update = LocationUpdate(sky.event, at: moment)
        update.skyEvent = receivers[place: place].skies.note(view, sky.event, at: moment)
        updates.append(update)
    }

    /// Emits the satellites of a machine with a name, each of whose reports is an epoch.
    private mutating func pass(_ sky: SkyView, _ event: LocationEvent, at moment: Moment) {
        let place = receivers.place(of: sky.device, default: Receiver())
        var update = LocationUpdate(event, at: moment).about(sky.device)
        // The signals of so many machines would need much memory.
        var counts = sky
        counts.figures = nil
        update.skyEvent = receivers[place: place].skies.note(counts, .satellites(counts), at: moment)
        updates.append(update)
    }

    // MARK: Attitudes

    /// Processes the attitude of a receiver, which belongs to one of its epochs or is emitted by itself.
    package mutating func process(_ attitude: Attitude, at moment: Moment) {
        if let watched, let device = attitude.device, device != watched { return }
        partCount &+= 1
        expire(at: moment)
        let place = receivers.place(of: attitude.device, default: Receiver())
        guard !namesSubjects, receivers[place: place].givesPositions else {
            return updates.append(
                LocationUpdate(.attitude(attitude), at: moment).about(namesSubjects ? attitude.device : nil))
        }
        let epoch = receivers[place: place].epoch?.timestamp
        let time = PendingAttitude.time(of: attitude, near: epoch)
        let isOfThisEpoch = time == epoch || time == nil
        if isOfThisEpoch, receivers[place: place].isHolding {
            guard let merged = receivers[place: place].merge(attitude) else { return }
            return extend(place, merged.location, merged.event, at: moment)
        }
        if isOfThisEpoch, receivers[place: place].hasBegun(at: moment) { receivers[place: place].noteLate(attitude) }
        if time != nil, isOfThisEpoch { return updates.append(LocationUpdate(.attitude(attitude), at: moment)) }
        if let before = receivers[place: place].attitude.add(attitude, time: time, at: moment) {
            updates.append(LocationUpdate(before, at: moment))
        }
        updateDeadline()
    }

    /// Joins the attitude that came before the position of its epoch, and emits one that belongs to an earlier epoch.
    private mutating func takeAttitude(for position: inout Location, _ place: Int, at moment: Moment) {
        guard receivers[place: place].attitude.due != nil else { return }
        let (own, other) = receivers[place: place].attitude.take(for: position)
        if let own { position.take(own) }
        if let other { updates.append(LocationUpdate(other, at: moment)) }
        updateDeadline()
    }

    private mutating func releaseAttitude(_ place: Int, at moment: Moment) {
        if let event = receivers[place: place].attitude.release() { updates.append(LocationUpdate(event, at: moment)) }
    }

    // MARK: Both

    private mutating func release(_ place: Int, at moment: Moment) {
        guard deadline != nil else { return }
        releaseSky(place, at: moment)
        releasePosition(place, at: moment)
        releaseAttitude(place, at: moment)
        updateDeadline()
    }

    private mutating func updateDeadline() {
        deadline = nil
        for place in 0..<receivers.count {
            if let due = receivers[place: place].nextDue { deadline = min(due, deadline ?? due) }
        }
    }
}

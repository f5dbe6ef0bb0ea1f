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
/// no time. If the satellites of recent epochs came in parts, their view is emitted when the receiver's next epoch begins, as its
/// time or a position shows, or `Location.assemblyLimit` after its first part; else at once. The update of a position carries the
/// satellites that belong to it, as `SkyMemory` knows them; those of its epoch are emitted before it if they came before it.
///
/// An attitude comes in reports of its own. It belongs to the epoch of its receiver with the same time; without a time, to the one in
/// which it comes: that which waits, or else that which begins within `Location.assemblyLimit`. An attitude that belongs to no position
/// is emitted by itself, at once if its receiver gives no position.
///
/// The assembler has no clock: callers pass moments in, call `expire` at `deadline`, and take the `updates`.
package struct EpochAssembler: Sendable {
    /// The updates so far, which the owner takes.
    package var updates = ReusedQueue<LocationUpdate>()
    /// Whether each device is a machine of a fleet, the subject of its updates, each of whose reports is an epoch.
    package var isOfFleet = false
    /// The only device whose reports count, if a client watches one: gpsd's lists, and its answer to `?POLL;`, cover all of them.
    var watched: String?
    /// The number of parts of epochs, whose positions and satellites may be emitted later.
    private(set) var partCount = 0
    private var receivers = PerDevice<ReceiverEpoch>()
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
            return isOfFleet ? pass(sky, event, at: moment) : process(sky, at: moment)
        case .location, .attitude, .device, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        updates.append(LocationUpdate(event, at: moment).about(isOfFleet ? event.device : nil))
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
        let place = receivers.place(of: report.device, default: ReceiverEpoch())
        let arrival = isLive ? moment : nil
        if receivers[place: place].isOfCurrentEpoch(report, arrival: arrival) {
            guard let merged = receivers[place: place].merge(report, isQualityKnown: isQualityKnown) else { return }
            return extend(place, merged, at: moment)
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
    private mutating func extend(_ place: Int, _ location: Location, at moment: Moment) {
        if isOfFleet { return updates.append(update(location, place, at: moment).about(location.device)) }
        let position = ReceiverEpoch.Held(location)
        receivers[place: place].expectLater(position.fields)
        if receivers[place: place].isHolding { settleOrHold(position, place, at: moment) }
    }

    /// Processes the first report of an epoch.
    private mutating func begin(_ place: Int, _ location: Location, arrival: Moment?, at moment: Moment) {
        let isSamePlace = receivers[place: place].begin(location, arrival: arrival, at: moment)
        if isOfFleet { return updates.append(update(location, place, at: moment).about(location.device)) }
        var position = ReceiverEpoch.Held(location)
        if receivers[place: place].isHolding {
            if isSamePlace, let held = receivers[place: place].heldWithoutTime {
                position.location.received = held.location.received
                let cameAtOnce = receivers[place: place].due == moment.advanced(by: Location.assemblyLimit)
                if cameAtOnce, location.timestamp == nil { position.earlier = held.earlier + [held.location] }
                if position.earlier.count == GPSDQuirks.mostReportsOfEpoch {
                    release(each: &position, place, at: moment)
                }
            } else {
                releasePosition(place, at: moment)
            }
        }
        // The satellites of the epoch before, or those of this one that came before its position.
        releaseSky(place, at: moment)
        settleOrHold(position, place, at: moment)
    }

    /// Emits the positions before one as epochs of their own.
    ///
    /// So many reports of one coordinate are those of a receiver that stands still, and never has the time.
    private mutating func release(each position: inout ReceiverEpoch.Held, _ place: Int, at moment: Moment) {
        receivers[place: place].held = nil
        receivers[place: place].due = nil
        releaseSky(place, at: moment)
        for location in position.earlier { settle(ReceiverEpoch.Held(location), place, at: moment) }
        position.earlier = []
    }

    /// Emits a position if it is whole, or else holds it.
    private mutating func settleOrHold(_ position: ReceiverEpoch.Held, _ place: Int, at moment: Moment) {
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

    private mutating func settle(_ position: ReceiverEpoch.Held, _ place: Int, at moment: Moment) {
        receivers[place: place].emitted = (position.timestamp, position.fields)
        receivers[place: place].late.beginEpoch()
        updates.append(update(position.location, place, at: moment))
    }

    /// Returns the update of a position with the satellites that belong to it.
    private mutating func update(_ position: Location, _ place: Int, at moment: Moment) -> LocationUpdate {
        let sky = receivers[place: place].skies.sky(of: position, at: moment)
        return LocationUpdate(.location(position), at: moment, sky: sky)
    }

    private mutating func releasePosition(_ place: Int, at moment: Moment) {
        guard let position = receivers[place: place].held.take() else { return }
        receivers[place: place].due = nil
        // The satellites that came while the position was held are those of its epoch.
        releaseSky(place, at: moment)
        settle(position, place, at: moment)
    }

    // MARK: Satellites

    private mutating func process(_ sky: SkyView, at moment: Moment) {
        let place = receivers.place(of: sky.device, default: ReceiverEpoch())
        let earlier = receivers[place: place].parts(before: sky)
        // The satellites of a later epoch must not be counted for the position.
        if earlier.position { releasePosition(place, at: moment) }
        if earlier.sky { releaseSky(place, at: moment) }
        if let view = receivers[place: place].add(sky, at: moment) { return emit(view, place, at: moment) }
        // Usually nothing else waits.
        if deadline == nil { deadline = receivers[place: place].nextDue } else { updateDeadline() }
    }

    private mutating func releaseSky(_ place: Int, at moment: Moment) {
        guard let sky = receivers[place: place].sky.take() else { return }
        receivers[place: place].skyDue = nil
        emit(sky, place, at: moment)
    }

    private mutating func emit(_ sky: SkyView, _ place: Int, at moment: Moment) {
        let whole = receivers[place: place].skies.note(sky, at: moment)
        updates.append(LocationUpdate(.satellites(sky), at: moment, sky: whole))
    }

    /// Emits the satellites of a machine with a name, each of whose reports is an epoch.
    private mutating func pass(_ sky: SkyView, _ event: LocationEvent, at moment: Moment) {
        let place = receivers.place(of: sky.device, default: ReceiverEpoch())
        var update = LocationUpdate(event, at: moment).about(sky.device)
        // The signals of so many machines would need much memory.
        var counts = sky.facts
        if !counts.isListed { (counts.list, counts.isListed) = (nil, true) }
        update.sky = receivers[place: place].skies.note(SkyView(counts), at: moment)
        updates.append(update)
    }

    // MARK: Attitudes

    /// Processes the attitude of a receiver, which belongs to one of its epochs or is emitted by itself.
    package mutating func process(_ attitude: Attitude, at moment: Moment) {
        if let watched, let device = attitude.device, device != watched { return }
        partCount &+= 1
        expire(at: moment)
        let place = receivers.place(of: attitude.device, default: ReceiverEpoch())
        guard !isOfFleet, receivers[place: place].givesPositions else {
            return updates.append(
                LocationUpdate(.attitude(attitude), at: moment).about(isOfFleet ? attitude.device : nil))
        }
        let epoch = receivers[place: place].epoch?.timestamp
        let time = PendingAttitude.time(of: attitude, near: epoch)
        let isOfThisEpoch = time == epoch || time == nil
        if isOfThisEpoch, receivers[place: place].isHolding {
            guard let merged = receivers[place: place].merge(attitude) else { return }
            return extend(place, merged, at: moment)
        }
        if isOfThisEpoch, receivers[place: place].hasBegun(at: moment) { receivers[place: place].expectLater(attitude) }
        if time != nil, isOfThisEpoch { return updates.append(LocationUpdate(.attitude(attitude), at: moment)) }
        if let before = receivers[place: place].attitude.add(attitude, time: time, at: moment) {
            updates.append(LocationUpdate(.attitude(before), at: moment))
        }
        updateDeadline()
    }

    /// Joins the attitude that came before the position of its epoch, and emits one that belongs to an earlier epoch.
    private mutating func takeAttitude(for position: inout Location, _ place: Int, at moment: Moment) {
        guard receivers[place: place].attitude.due != nil else { return }
        let (own, other) = receivers[place: place].attitude.take(for: position)
        if let own { position.take(own) }
        if let other { updates.append(LocationUpdate(.attitude(other), at: moment)) }
        updateDeadline()
    }

    private mutating func releaseAttitude(_ place: Int, at moment: Moment) {
        guard let attitude = receivers[place: place].attitude.release() else { return }
        updates.append(LocationUpdate(.attitude(attitude), at: moment))
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
            deadline.shorten(to: receivers[place: place].nextDue)
        }
    }
}

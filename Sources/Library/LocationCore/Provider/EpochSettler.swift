import LocwatchSupport

/// A state machine that reduces the reports of each epoch to one position.
///
/// gpsd reports an epoch in parts. An epoch is settled when a report has every field that the device's previous epoch
/// had and that later reports of recent epochs brought, when the next epoch begins, or `limit` after its first report;
/// in the steady state nothing is delayed. A report without a time is an epoch of its own, except before the receiver has
/// the time: gpsd then reports the coordinate of one epoch up to four times, so the first one waits too. The settler has
/// no clock: callers pass moments in and call `expire` at `deadline`.
package struct EpochSettler: Sendable {
    /// The longest delay of the first report of an epoch.
    package static let limit = Duration.milliseconds(300)

    private struct Receiver {
        /// The last report of an epoch that is not settled.
        var held: Location?
        var due: Moment?
        /// The last settled epoch and its fields.
        var settled: (timestamp: Timestamp?, fields: FieldSet)?
        var late = LateFields()

        /// Returns whether no report of the same epoch is expected to add a field to a position.
        func isComplete(_ location: Location) -> Bool {
            // A position without a time waits for one if its receiver has reported times, or nothing yet.
            guard location.timestamp != nil else {
                return location.received == nil || settled.map { $0.timestamp == nil } ?? false
            }
            // A position without a time has the fields of a part of an epoch.
            guard let settled, settled.timestamp != nil else { return false }
            return settled.fields.union(late.recent).isSubset(of: FieldSet(location))
        }

        mutating func noteSettled(_ location: Location) {
            settled = (location.timestamp, FieldSet(location))
            late.beginEpoch()
        }

        /// Processes a report of the settled epoch that comes after it was settled.
        mutating func noteLate(_ location: Location) {
            late.note(FieldSet(location).subtracting(settled?.fields ?? []))
        }
    }

    private var receivers = PerDevice<Receiver>()
    private var queue = DueQueue()
    /// The number of receivers whose epoch is not settled.
    private var heldCount = 0
    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Creates a settler.
    package init() {}

    /// Processes an update; emits the positions that it settles, and the update itself unless it is a delayed position.
    package mutating func process(_ update: LocationUpdate, emit: (LocationUpdate) -> Void) {
        expire(at: update.moment, emit: emit)
        switch update.event {
        case .location(let location):
            if settleAtOnce(location) { emit(update) } else { process(location, at: update.moment, emit: emit) }
        // A position is emitted before the event that reports its loss.
        case .searching(_, let device?): release(device, at: update.moment, emit: emit)
        case .searching(_, nil), .failure: finish(at: update.moment, emit: emit)
        // The satellites of a later epoch must not be counted for the position.
        case .satellites(let sky): if isBeforeEpoch(of: sky) { release(sky.device, at: update.moment, emit: emit) }
        case .device, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        if case .location = update.event { return }
        emit(update)
    }

    /// Emits the positions of the epochs whose deadline has passed.
    package mutating func expire(at moment: Moment, emit: (LocationUpdate) -> Void) {
        guard let deadline, moment >= deadline else { return }
        while let (place, due) = queue.popFirst(dueAt: moment) {
            if receivers[place: place].due == due { release(place, at: due, emit: emit) }
        }
        updateDeadline()
    }

    /// Emits every delayed position, because the session has ended or failed.
    package mutating func finish(at moment: Moment, emit: (LocationUpdate) -> Void) {
        expire(at: moment, emit: emit)
        guard heldCount > 0 else { return }
        for place in 0..<receivers.count { release(place, at: moment, emit: emit) }
        deadline = nil
    }

    /// Returns whether the position that is held for a receiver belongs to an epoch before that of a view of its satellites.
    private func isBeforeEpoch(of sky: SkyView) -> Bool {
        guard heldCount > 0, let time = sky.timestamp, let held = receivers[sky.device]?.held else { return false }
        return held.timestamp.map { $0 < time } ?? false
    }

    /// Settles a position that is a whole epoch, as each one is in the steady state; returns `false` if that is not known.
    private mutating func settleAtOnce(_ location: Location) -> Bool {
        guard heldCount == 0, location.revision == 0 else { return false }
        let place = receivers.place(of: location.device, default: Receiver())
        guard receivers[place: place].isComplete(location) else { return false }
        receivers[place: place].noteSettled(location)
        return true
    }

    private mutating func process(_ location: Location, at moment: Moment, emit: (LocationUpdate) -> Void) {
        let place = receivers.place(of: location.device, default: Receiver())
        if location.revision > 0, location.timestamp != nil {
            guard let held = receivers[place: place].held else {
                // A later report of a settled epoch is dropped, but later epochs wait for the fields that it adds.
                if receivers[place: place].settled?.timestamp == location.timestamp {
                    receivers[place: place].noteLate(location)
                } else {
                    hold(location, place, at: moment)
                }
                return
            }
            receivers[place: place].late.note(FieldSet(location).subtracting(FieldSet(held)))
        } else if let held = receivers[place: place].held,
            // Reports of a recording without arrivals come at the same moment; whether they are one epoch is unknown.
            held.timestamp != nil || held.coordinate != location.coordinate
                || (location.revision == 0 && receivers[place: place].due == moment.advanced(by: Self.limit))
        {
            release(place, at: moment, emit: emit)
        }
        // The epoch arrived with its first report.
        var location = location
        if let held = receivers[place: place].held { location.received = held.received }
        if receivers[place: place].isComplete(location) {
            if receivers[place: place].held != nil { heldCount -= 1 }
            receivers[place: place].held = nil
            receivers[place: place].due = nil
            settle(location, place, at: moment, emit: emit)
            updateDeadline()
        } else {
            hold(location, place, at: moment)
        }
    }

    private mutating func hold(_ location: Location, _ place: Int, at moment: Moment) {
        if receivers[place: place].held == nil { heldCount += 1 }
        receivers[place: place].held = location
        receivers[place: place].held?.received = location.received ?? moment.wall
        guard receivers[place: place].due == nil else { return }
        let due = moment.advanced(by: Self.limit)
        receivers[place: place].due = due
        queue.append(place, due: due)
        updateDeadline()
    }

    private mutating func release(_ device: String?, at moment: Moment, emit: (LocationUpdate) -> Void) {
        guard heldCount > 0 else { return }
        release(receivers.place(of: device, default: Receiver()), at: moment, emit: emit)
        updateDeadline()
    }

    private mutating func release(_ place: Int, at moment: Moment, emit: (LocationUpdate) -> Void) {
        guard let location = receivers[place: place].held else { return }
        receivers[place: place].held = nil
        receivers[place: place].due = nil
        heldCount -= 1
        settle(location, place, at: moment, emit: emit)
    }

    private mutating func settle(
        _ location: Location, _ place: Int, at moment: Moment, emit: (LocationUpdate) -> Void
    ) {
        receivers[place: place].noteSettled(location)
        var location = location
        location.revision = 0
        emit(LocationUpdate(.location(location), at: moment))
    }

    private mutating func updateDeadline() {
        deadline = queue.first { receivers[place: $0].due == $1 }
    }
}

/// The fields that later reports of a receiver's recent epochs added to the first one.
///
/// A receiver may send some sentences only now and then. A field is remembered for 8 to 16 epochs after a later report
/// added it, so that an epoch without it costs a delay, but an epoch with it does not lose it.
private struct LateFields {
    private static let epochs = 8
    private var current = FieldSet()
    private var previous = FieldSet()
    private var count = 0

    var recent: FieldSet { current.union(previous) }

    mutating func note(_ fields: FieldSet) { current.formUnion(fields) }

    mutating func beginEpoch() {
        count += 1
        guard count == Self.epochs else { return }
        (previous, current, count) = (current, [], 0)
    }
}

/// The fields of a location that gpsd may report late in an epoch.
private struct FieldSet: OptionSet {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ location: Location) {
        rawValue =
            (location.fix == .threeD ? 1 : 0) | (location.altitudeMSL == nil ? 0 : 2)
            | (location.altitudeHAE == nil ? 0 : 4) | (location.horizontalAccuracy == nil ? 0 : 8)
            | (location.verticalAccuracy == nil ? 0 : 16) | (location.speed == nil ? 0 : 32)
            | (location.course == nil ? 0 : 64) | (location.climb == nil ? 0 : 128)
            | (location.speedAccuracy == nil ? 0 : 256) | (location.geoidSeparation == nil ? 0 : 512)
    }
}

package import LocationCore
import LocwatchSupport

/// An assembler of gpsd's reports to one position and one view of the satellites for each epoch of a receiver.
///
/// gpsd reports an epoch in parts, mostly at the start of a session. A position is emitted when a report has every field
/// that the receiver's previous epoch had and that later reports of recent epochs brought, when the next epoch begins, or
/// `Location.assemblyLimit` after its first report; in the steady state nothing is delayed. A part that comes after its epoch
/// was emitted is dropped, but later epochs wait for what it adds. A report without a time is an epoch of its own, except
/// before the receiver has the time: gpsd then reports the coordinate of one epoch up to four times.
///
/// Of two accuracies of an epoch, the smaller one counts while the later value lies within it, because then both can be
/// true. A receiver that sends two protocols states its accuracy in one of them; for the report of the other, gpsd
/// estimates it from the dilution of precision, up to 200 times larger.
///
/// The satellites come in parts too: a growing list, a list for each system, or dilutions without a list. Most parts have
/// no time. Their view is emitted when the receiver's next epoch begins, as its time or a position shows, or
/// `Location.assemblyLimit` after its first part.
///
/// The assembler has no clock: callers pass moments in and call `expire` at `deadline`.
package struct EpochAssembler: Sendable {
    /// The state of a receiver.
    ///
    /// All its methods are mutating, because it is large, and a call that changes nothing copies it: reading with `watch -j` took 4 %
    /// more instructions.
    private struct Receiver {
        /// The values of all reports of the current epoch, emitted or not.
        var known: Location?
        /// The moment of the first report of the current epoch of a live session, if that has no time.
        var untimed: Moment?
        /// The position that waits for further reports of its epoch, and the moment at which it is emitted.
        var held: Location?
        var due: Moment?
        /// The last epoch that was emitted, and its fields.
        var emitted: (timestamp: Timestamp?, fields: EpochFields)?
        var late = LateFields()
        /// The merged satellites of an epoch, and the moment at which they are emitted.
        var sky: SkyView?
        var skyDue: Moment?

        /// Returns whether a report belongs to the current epoch.
        ///
        /// - Parameter arrival: The moment at which the report of a live session arrived; `nil` in a recording.
        mutating func isOfCurrentEpoch(_ report: Location, arrival: Moment?) -> Bool {
            if let arrival, let untimed, known?.coordinate == report.coordinate,
                untimed.duration(to: arrival) <= Location.assemblyLimit
            {
                return true
            }
            return report.timestamp != nil && report.timestamp == known?.timestamp
        }

        /// Begins an epoch with its first report.
        mutating func begin(_ location: inout Location, arrival: Moment?) {
            untimed = location.timestamp == nil ? arrival : nil
            if let time = location.timestamp, let before = known?.timestamp, time < before { location.isLate = true }
            known = location
        }

        /// Adds a further report to the current epoch, of which it becomes the whole; returns `false` if it adds nothing.
        mutating func merge(_ location: inout Location, isQualityKnown: Bool) -> Bool {
            guard let known else { return false }
            if location.timestamp != nil { untimed = nil }
            var merged = known.merged(with: location, qualityIsKnown: isQualityKnown)
            merged.keepSmallerAccuracies(of: known)
            merged.isLate = known.isLate
            merged.received = known.received
            guard merged != known else { return false }
            self.known = merged
            location = merged
            return true
        }

        /// Returns whether no report of the same epoch is expected to add a field to a position.
        mutating func isComplete(_ location: Location) -> Bool {
            guard let emitted else { return false }
            // A position without a time waits for one if its receiver has reported times; one with a time is more than those
            // without. In a recording, each report without a time is an epoch.
            guard (location.timestamp == nil) == (emitted.timestamp == nil) else { return false }
            if location.timestamp == nil, untimed == nil { return true }
            return emitted.fields.union(late.recent).isSubset(of: EpochFields(location))
        }

        /// Whether a position waits, and its time.
        var isHolding: Bool { mutating get { held != nil } }
        var heldTime: Timestamp? { mutating get { held?.timestamp } }

        /// The earlier of the moments at which something is emitted.
        var nextDue: Moment? {
            mutating get {
                guard let due, let skyDue else { return due ?? skyDue }
                return min(due, skyDue)
            }
        }

        /// Whether satellites are of another epoch than those that wait.
        mutating func hasSky(ofAnotherEpochThan part: SkyView) -> Bool {
            guard let time = part.timestamp, let before = sky?.timestamp else { return false }
            return time != before
        }

        /// Adds satellites to those of their epoch.
        mutating func add(_ part: SkyView, at moment: Moment) {
            guard let before = sky.take() else {
                sky = part
                skyDue = moment.advanced(by: Location.assemblyLimit)
                return
            }
            var merged = part
            merged.complete(with: before)
            sky = merged
        }

        /// Notes what a report adds to an epoch that was emitted without it.
        mutating func noteLate(_ location: Location) {
            late.note(EpochFields(location).subtracting(emitted?.fields ?? []))
        }
    }

    /// Whether each device is a machine with a name, the subject of its updates, each of whose reports is an epoch.
    package var namesSubjects = false
    private var receivers = PerDevice<Receiver>()
    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Creates an assembler for a new session.
    package init() {}

    /// Processes what a report says, and emits the epochs that are whole, before the event that shows that they are.
    package mutating func process(_ content: ReportContent, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        expire(at: moment, emit)
        switch content {
        case .position(let location, let isQualityKnown, let isLive):
            process(location, isQualityKnown: isQualityKnown, isLive: isLive, at: moment, emit)
        case .event(.satellites(let sky)):
            guard namesSubjects else { return process(sky, at: moment, emit) }
            emit(LocationUpdate(.satellites(sky), at: moment).about(sky.device))
        case .event(let event):
            switch event {
            // A position is emitted before the event that reports its loss.
            case .searching(_, let device?):
                if let place = receivers.index(of: device) { release(place, at: moment, emit) }
            case .searching(_, nil), .failure: finish(at: moment, emit)
            case .location, .satellites, .device, .receiver, .clock, .authorization, .line, .notice, .other: break
            }
            emit(LocationUpdate(event, at: moment).about(namesSubjects ? event.device : nil))
        }
    }

    /// Emits the epochs whose deadline has passed, each as of its deadline.
    package mutating func expire(at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        while let due = deadline, due <= moment {
            for place in 0..<receivers.count {
                if receivers[place: place].skyDue == due { releaseSky(place, at: due, emit) }
                if receivers[place: place].due == due { releasePosition(place, at: due, emit) }
            }
            updateDeadline()
        }
    }

    /// Emits all epochs that are held, because the session has ended or failed.
    package mutating func finish(at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        expire(at: moment, emit)
        guard deadline != nil else { return }
        for place in 0..<receivers.count { release(place, at: moment, emit) }
    }

    // MARK: Positions

    private mutating func process(
        _ report: Location, isQualityKnown: Bool, isLive: Bool, at moment: Moment, _ emit: (LocationUpdate) -> Void
    ) {
        let place = receivers.place(of: report.device, default: Receiver())
        let arrival = isLive ? moment : nil
        var location = report
        let isOfCurrentEpoch = receivers[place: place].isOfCurrentEpoch(report, arrival: arrival)
        if isOfCurrentEpoch {
            guard receivers[place: place].merge(&location, isQualityKnown: isQualityKnown) else { return }
        } else {
            receivers[place: place].begin(&location, arrival: arrival)
        }
        if namesSubjects { return emit(LocationUpdate(.location(location), at: moment).about(location.device)) }
        if isOfCurrentEpoch {
            guard let held = receivers[place: place].held else { return receivers[place: place].noteLate(location) }
            receivers[place: place].late.note(EpochFields(location).subtracting(EpochFields(held)))
        } else {
            if receivers[place: place].isHolding { continueOrRelease(place, &location, at: moment, emit) }
            // The satellites of the epoch before, or those of this one that came before its position.
            releaseSky(place, at: moment, emit)
        }
        if receivers[place: place].isComplete(location) {
            if receivers[place: place].held.take() != nil { releaseSky(place, at: moment, emit) }
            receivers[place: place].due = nil
            settle(location, place, at: moment, emit)
        } else {
            receivers[place: place].held = location
            receivers[place: place].due = receivers[place: place].due ?? moment.advanced(by: Location.assemblyLimit)
        }
        if deadline != nil || receivers[place: place].isHolding { updateDeadline() }
    }

    /// Emits the position that is held before a report of another epoch.
    ///
    /// In a recording, reports of one coordinate are one epoch before the receiver has the time, unless they come at one
    /// moment, because it has no arrivals: whether they are one epoch is then unknown.
    private mutating func continueOrRelease(
        _ place: Int, _ location: inout Location, at moment: Moment, _ emit: (LocationUpdate) -> Void
    ) {
        guard let held = receivers[place: place].held else { return }
        if held.timestamp == nil, held.coordinate == location.coordinate,
            receivers[place: place].due != moment.advanced(by: Location.assemblyLimit)
        {
            location.received = held.received
        } else {
            releasePosition(place, at: moment, emit)
        }
    }

    private mutating func settle(
        _ location: Location, _ place: Int, at moment: Moment, _ emit: (LocationUpdate) -> Void
    ) {
        receivers[place: place].emitted = (location.timestamp, EpochFields(location))
        receivers[place: place].late.beginEpoch()
        emit(LocationUpdate(.location(location), at: moment))
    }

    private mutating func releasePosition(_ place: Int, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        guard let location = receivers[place: place].held.take() else { return }
        receivers[place: place].due = nil
        // The satellites that came while the position was held are those of its epoch.
        releaseSky(place, at: moment, emit)
        settle(location, place, at: moment, emit)
    }

    // MARK: Satellites

    private mutating func process(_ sky: SkyView, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        let place = receivers.place(of: sky.device, default: Receiver())
        // The satellites of a later epoch must not be counted for the position.
        if let time = sky.timestamp, let held = receivers[place: place].heldTime, held < time {
            releasePosition(place, at: moment, emit)
        }
        if receivers[place: place].hasSky(ofAnotherEpochThan: sky) { releaseSky(place, at: moment, emit) }
        receivers[place: place].add(sky, at: moment)
        updateDeadline()
    }

    private mutating func releaseSky(_ place: Int, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        guard let sky = receivers[place: place].sky.take() else { return }
        receivers[place: place].skyDue = nil
        emit(LocationUpdate(.satellites(sky), at: moment))
    }

    // MARK: Both

    private mutating func release(_ place: Int, at moment: Moment, _ emit: (LocationUpdate) -> Void) {
        guard deadline != nil else { return }
        releaseSky(place, at: moment, emit)
        releasePosition(place, at: moment, emit)
        updateDeadline()
    }

    private mutating func updateDeadline() {
        deadline = nil
        for place in 0..<receivers.count {
            if let due = receivers[place: place].nextDue { deadline = min(due, deadline ?? due) }
        }
    }
}

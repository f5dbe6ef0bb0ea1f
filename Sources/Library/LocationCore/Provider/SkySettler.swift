import LocwatchSupport

/// A state machine that merges the reports of a receiver's satellites to one view per epoch, and thins the views.
///
/// gpsd reports the satellites of an epoch in parts: a growing list, a list for each system, or dilutions without a list.
/// Most parts have no time. A view is settled when the receiver's next epoch begins, as its time or a position shows, or
/// `EpochSettler.limit` after its first report. The settler has no clock: callers pass moments in and call `expire` at
/// `deadline`.
package struct SkySettler: Sendable {
    private struct Receiver {
        /// The merged reports of an epoch that is not settled, and the moment of the last one.
        var held: (sky: SkyView, moment: Moment)?
        var due: Moment?
        var grid: IntervalGrid?
    }

    private let interval: Duration?
    private var receivers = PerDevice<Receiver>()
    private var queue = DueQueue()
    /// The moment at which `expire` must be called if nothing arrives before.
    package private(set) var deadline: Moment?

    /// Creates a settler.
    ///
    /// - Parameter interval: The shortest interval between the views of a receiver; see `IntervalGrid`.
    package init(interval: Duration? = nil) { self.interval = interval }

    /// Processes an update and emits the views that it settles, before those of a later epoch.
    package mutating func process(_ update: LocationUpdate, emit: (LocationUpdate) -> Void) {
        expire(at: update.moment, emit: emit)
        switch update.event {
        case .satellites(let sky): process(sky, at: update.moment, emit: emit)
        case .location(let location) where location.revision == 0:
            // Most devices of a fleet never report satellites; they get no place.
            if receivers[location.device]?.held != nil { release(place(of: location.device), emit: emit) }
        case .searching, .failure: finish(emit: emit)
        case .location, .device, .receiver, .clock, .authorization, .line, .notice, .other: break
        }
        updateDeadline()
    }

    /// Emits the views whose deadline has passed.
    package mutating func expire(at moment: Moment, emit: (LocationUpdate) -> Void) {
        guard let deadline, moment >= deadline else { return }
        while let (place, due) = queue.popFirst(dueAt: moment) {
            if receivers[place: place].due == due { release(place, emit: emit) }
        }
        updateDeadline()
    }

    /// Emits every view that is held, because the session has ended or failed.
    package mutating func finish(emit: (LocationUpdate) -> Void) {
        for place in 0..<receivers.count { release(place, emit: emit) }
        deadline = nil
    }

    private mutating func place(of device: String?) -> Int {
        receivers.place(of: device, default: Receiver(grid: interval.map { IntervalGrid($0) }))
    }

    private mutating func process(_ sky: SkyView, at moment: Moment, emit: (LocationUpdate) -> Void) {
        let place = place(of: sky.device)
        if receivers[place: place].held?.sky.isOfAnotherEpoch(than: sky) ?? false { release(place, emit: emit) }
        var merged = sky
        if let held = receivers[place: place].held { merged.complete(with: held.sky) }
        receivers[place: place].held = (merged, moment)
        guard receivers[place: place].due == nil else { return }
        let due = moment.advanced(by: EpochSettler.limit)
        receivers[place: place].due = due
        queue.append(place, due: due)
    }

    private mutating func release(_ place: Int, emit: (LocationUpdate) -> Void) {
        guard let (sky, moment) = receivers[place: place].held.take() else { return }
        receivers[place: place].due = nil
        if receivers[place: place].grid != nil {
            let time = IntervalGrid.Time(sky.timestamp, arrival: moment.elapsed)
            receivers[place: place].grid?.note(time)
            guard receivers[place: place].grid?.admits(time) ?? true else { return }
            receivers[place: place].grid?.pass(time)
        }
        emit(LocationUpdate(.satellites(sky), at: moment))
    }

    private mutating func updateDeadline() {
        deadline = queue.first { receivers[place: $0].due == $1 }
    }
}

extension SkyView {
    /// Returns whether the times of two reports of a receiver say that they belong to different epochs; most parts have none.
    func isOfAnotherEpoch(than other: SkyView) -> Bool {
        guard let timestamp, let time = other.timestamp else { return false }
        return time != timestamp
    }

    /// The number of signals in a merged list, which receivers of all systems and bands do not reach.
    private static let mergedLimit = 256

    /// Adds what an earlier report of the same epoch contains and this one lacks.
    mutating func complete(with earlier: SkyView) {
        timestamp = timestamp ?? earlier.timestamp
        dilution.complete(with: earlier.dilution)
        guard let list = satellites else {
            satellites = earlier.satellites
            seen = seen ?? earlier.seen
            used = used ?? earlier.used
            return
        }
        // Some receivers report each system in a list of its own. A list without room for others need not be compared.
        guard list.count < Self.mergedLimit else { return }
        let names = list.map(SatelliteName.init)
        let unlisted = earlier.satellites?.filter { !names.contains(SatelliteName($0)) } ?? []
        let others = Array(unlisted.suffix(Self.mergedLimit - list.count))
        guard !others.isEmpty else { return }
        let all = others + list
        satellites = all
        seen = all.count
        used = all.count { $0.isUsed }
    }
}

extension DilutionOfPrecision {
    mutating func complete(with earlier: DilutionOfPrecision) {
        longitude = longitude ?? earlier.longitude
        latitude = latitude ?? earlier.latitude
        horizontal = horizontal ?? earlier.horizontal
        vertical = vertical ?? earlier.vertical
        position = position ?? earlier.position
        time = time ?? earlier.time
        geometric = geometric ?? earlier.geometric
    }
}

/// The numbers that tell a satellite's signal from others.
private struct SatelliteName: Equatable {
    let constellation: Constellation?
    let number: Int?
    let prn: Int?
    let band: Int?

    init(_ satellite: Satellite) {
        constellation = satellite.constellation
        number = satellite.number
        prn = satellite.prn
        band = satellite.signalBand
    }
}

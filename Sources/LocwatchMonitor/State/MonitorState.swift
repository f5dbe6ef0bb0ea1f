import LocationCore
import LocationTracks
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

/// The state of a session as the monitor shows it: a value that is fed by the updates of the session.
struct MonitorState: Sendable {
    /// The receivers whose satellites are kept, because a fleet can have thousands of them.
    private static let skyLimit = 16
    /// The number of receivers of a list that a peer cannot make longer.
    static let deviceLimit = 20_000

    /// The time after which a missing pulse is replaced by less accurate comparisons of the clocks.
    private static let pulseMemory = Duration.seconds(5)

    /// The origin of the session in words.
    let place: String
    /// The origin as the command line names it, for a line without room for the words.
    let word: String
    /// Whether the devices are those of a fleet, independent of each other.
    let isFleet: Bool

    private(set) var now: Moment
    /// The state of the session.
    private(set) var state = LocationState.searching(.starting)
    /// The session time at which the state, and the search if there is one, began.
    private(set) var since = Duration.zero
    /// The session time at which the search for a position began.
    private(set) var searchedSince = Duration.zero
    private(set) var devices = PerDevice<MonitorDevice>()
    /// The number of devices beyond the limit of the list.
    private(set) var unlistedReports = 0
    private var topics = CommonTopic()
    /// The judgement of the shown receiver, if it is not nominal.
    private(set) var objection: IntegrityChange?
    /// The receiver that was chosen to be shown, instead of the current one.
    private(set) var chosen: String??
    /// The receiver whose position is current, if any.
    private(set) var current: String??
    /// The last position of the shown receiver, which may no longer be current.
    private(set) var location: Location?
    private var located: Duration?
    private var skies = PerDevice<SkyView>()
    /// The satellites of the shown receiver as the screen shows them.
    private(set) var picture = SkyPicture()
    private var pictured: String??
    private(set) var history = MonitorHistory()
    private(set) var trails = SkyTrails()
    private(set) var log = MonitorLog()
    private(set) var raw = RawLines()
    private(set) var report: ReceiverReport?
    /// The positions received so far.
    private(set) var positions = 0
    /// The last comparison of the host's clock with the shown receiver's, if gpsd sends any.
    private(set) var clock: ClockOffset?
    private var clockCompared = Duration.zero
    /// The fences, each with whether the shown receiver is in it if a position has decided that.
    private(set) var fences: [FencePlace] = []
    private var search = SearchClock()
    /// The last position that was found, with the number of its entry in the log, while its epoch lasts.
    private var found: (transition: StateChange, location: Location, searched: Duration?, entry: Int)?
    /// The errors of the shown positions against a point whose place is known, if there is one.
    private(set) var reference: ReferenceFigures?

    /// A fence and the position's place relative to it.
    struct FencePlace: Hashable {
        let name: String
        let isInside: Bool?
    }

    init(
        place: String, word: String? = nil, isFleet: Bool = false, reference: ReferencePoint? = nil, now: Moment
    ) {
        self.reference = reference.map(ReferenceFigures.init)
        self.place = place.printable
        self.word = word?.printable ?? self.place
        self.isFleet = isFleet
        self.now = now
    }

    /// The receiver whose position and satellites are shown, if any has reported.
    var shown: String?? { chosen ?? current ?? (devices.count > 0 ? .some(devices.device(at: 0)) : nil) }

    /// Whether the shown position is current.
    var isCurrent: Bool {
        guard let chosen else { return state.location != nil }
        return devices[chosen]?.state == .found
    }

    /// Returns the name of the device at a place, without what the names of a fleet have in common.
    func shortName(of place: Int) -> String {
        guard let name = devices.device(at: place) else { return "(unnamed)" }
        return isFleet ? topics.remainder(of: name).printable : name.printable
    }

    /// The satellites of the shown receiver.
    var sky: SkyView? { shown.flatMap { skies[$0] } }

    /// The age of the shown position, by its arrival.
    var age: Duration? { located.map { max(.zero, now.elapsed - $0) } }

    /// Advances the session time.
    mutating func advance(to moment: Moment) {
        guard moment >= now else { return }
        now = moment
        history.advance(to: moment, in: historyState)
    }

    private var historyState: MonitorHistory.State {
        if let chosen { return devices[chosen]?.state == .found ? .found : .searching }
        return switch state {
        case .found: .found
        case .searching: .searching
        case .error: .error
        }
    }

    /// Chooses the receiver to show, or `nil` for the current one.
    mutating func choose(_ device: String??) {
        guard chosen != device else { return }
        chosen = device
        let known = device.flatMap { devices[$0] }
        location = known?.location(of: device ?? nil)
        located = location == nil ? nil : known?.located
        history = MonitorHistory()
        trails = SkyTrails()
        clock = nil
        fences = []
        reference = reference.map { ReferenceFigures($0.point) }
        showPicture()
    }

    /// Replaces the satellites after another receiver has become the shown one.
    private mutating func showPicture() {
        guard pictured != shown else { return }
        pictured = shown
        picture.removeAll()
        if let satellites = sky?.satellites { picture.update(satellites, at: now) }
    }

    /// Keeps a line for a recording of what is in memory.
    mutating func keep(_ line: [UInt8], at moment: Moment) { raw.append(line, at: moment) }

    /// Processes an update or a change of state.
    mutating func process(_ update: TrackedUpdate, _ view: SessionView) {
        advance(to: update.moment)
        follow(view)
        switch update {
        case .transition(let transition): process(transition)
        case .deviceTransition(let transition): processDevice(transition)
        case .handover(let handover):
            log.append("handover", HandoverText(handover).words, at: handover.moment, .waiting)
        case .fence(let event):
            let device = isFleet ? event.device.map { "\($0.printable): " } ?? "" : ""
            log.append(
                "fence", "\(device)\(event.kind.words) \(event.fence.printable)", at: event.moment,
                event.kind == .exit ? .waiting : .good)
        case .integrity(let change):
            let device = view.devices.count > 1 ? change.device.map { "\($0.printable): " } ?? "" : ""
            log.append(
                change.to.rawValue, "\(device)\(IntegrityText(change).words)", at: change.moment,
                change.to.tint)
        case .settled, .failureEnded: break
        case .update(let update, let standing): process(update, standing)
        }
    }

    /// Takes over the state of the session, and the last position of a receiver that has become the current one.
    private mutating func follow(_ view: SessionView) {
        state = view.state
        let judged = view[chosen ?? view.lastLocation?.device]?.integrity
        objection = judged?.to == .nominal ? nil : judged
        // The fences of a session without a fleet are about its current position only.
        let isAboutShown = isFleet || chosen == nil
        fences =
            isAboutShown
            ? zip(view.fenceNames, view.fenceDecisions(for: chosen ?? nil)).map { FencePlace(name: $0, isInside: $1) }
            : []
        guard !isFleet, let location = view.location, current != .some(location.device) else { return }
        current = .some(location.device)
        showPicture()
        guard chosen == nil else { return }
        self.location = location
        located = devices[location.device]?.located ?? now.elapsed
    }

    private mutating func process(_ transition: StateChange) {
        if transition.from.location != nil { searchedSince = transition.moment.elapsed }
        since = transition.moment.elapsed
        let searched = search.process(transition)
        switch transition.to {
        case .found(let location):
            if !isFleet {
                let (words, place) = Self.words(transition, to: location, after: searched)
                log.append(transition.to.word, words, place, at: transition.moment, .good)
                found = (transition, location, searched, log.count)
            }
        case .searching(let reason):
            let words = TransitionText(transition, style: TextStyle()).words
            if !isFleet || reason.code != .silent && reason.code != .noFix {
                log.append(transition.to.word, words, at: transition.moment, .waiting)
            }
        case .error(let error): log.append("error", ErrorText(error).message, at: transition.moment, .bad)
        }
        history.change(to: historyState)
    }

    /// Returns the text about a found position, with the position if a search has ended.
    private static func words(
        _ transition: StateChange, to location: Location, after searched: Duration?
    ) -> (String, MonitorLog.Place?) {
        guard let searched else { return (location.fix.words, nil) }
        return (TransitionText.found(location, after: searched), MonitorLog.Place(location))
    }

    /// Completes the entry of a found position with a later report of the same epoch, which can have the third dimension.
    private mutating func reviseFound(_ location: Location) {
        guard let found, log.count == found.entry, location.device == found.location.device else { return }
        // The first report of a session can lack the time of its epoch.
        let isSameEpoch = found.location.timestamp.map { $0 == location.timestamp } ?? true
        guard location.revision > 0, isSameEpoch else {
            if location != found.location { self.found = nil }
            return
        }
        let (words, place) = Self.words(found.transition, to: location, after: found.searched)
        log.revise(words, place)
    }

    private mutating func processDevice(_ transition: StateChange) {
        guard let place = place(of: transition.device) else { return }
        let before = devices[place: place].state
        devices[place: place].apply(transition)
        // With one receiver the changes of the session say the same.
        guard isFleet || devices.count > 1, before != .unknown || transition.to.location != nil else { return }
        let name = transition.device == nil ? "an unnamed receiver" : shortName(of: place)
        let tint: CellStyle.Tint = transition.to.location != nil ? .good : .waiting
        let found = transition.to.location
        let words =
            found.map { TransitionText.found($0, after: transition.lasted) }
            ?? TransitionText(transition, style: TextStyle()).words
        log.append(
            transition.to.word, "\(name): \(words)", found.map { MonitorLog.Place($0) }, at: transition.moment, tint)
    }

    private mutating func place(of device: String?) -> Int? {
        if devices.count < Self.deviceLimit || devices[device] != nil {
            let (count, place) = (devices.count, devices.place(of: device, default: MonitorDevice()))
            if place == count { topics.add(device) }
            return place
        }
        unlistedReports += 1
        return nil
    }

    private mutating func process(_ update: LocationUpdate, _ standing: TrackedUpdate.Standing) {
        switch update.event {
        case .location(let location): process(location, standing, at: update.moment)
        case .satellites(let sky): process(sky, at: update.moment)
        case .device(let status): process(status, at: update.moment)
        case .notice(let notice):
            if let location = notice.location { remember(location, at: update.moment) }
            if !notice.isMinor { log.append("notice", notice.message.printable, at: update.moment) }
        case .authorization(let status): log.append("access", status.rawValue, at: update.moment)
        case .receiver(let report): self.report = report
        case .clock(let sample): process(sample, at: update.moment)
        case .line(let bytes): raw.append(bytes, at: update.moment)
        case .searching(let reason, let device):
            if let device, let place = place(of: device), devices[place: place].state == .searching {
                devices[place: place].reason = reason
            }
        case .failure(let failure, _):
            if standing != .repeated, failure != error {
                log.append("error", ErrorText(failure).message, at: update.moment, .bad)
            }
        case .other: break
        }
    }

    private var error: LocationError? { if case .error(let error) = state { error } else { nil } }

    /// Keeps a position of a fleet's device that does not show where it is now.
    private mutating func remember(_ location: Location, at moment: Moment) {
        guard let place = place(of: location.device) else { return }
        devices[place: place].remember(location, at: moment)
    }

    private mutating func process(_ location: Location, _ standing: TrackedUpdate.Standing, at moment: Moment) {
        if location.revision == 0 { positions += 1 }
        reviseFound(location)
        if standing == .late, !location.isLate { return remember(location, at: moment) }
        guard standing.isShown, !location.isLate else { return }
        if let place = place(of: location.device) {
            devices[place: place].update(location, at: moment, isOfFleet: isFleet)
        }
        guard isShown(location.device) else { return }
        self.location = location
        located = devices[location.device]?.located ?? moment.elapsed
        history.append(location, at: moment)
        if location.revision == 0 { reference?.process(location, at: moment) }
    }

    private mutating func process(_ sample: ClockSample, at moment: Moment) {
        guard isShown(sample.device) else { return }
        // The pulse is better, so the first data count only after it has been missing for a while.
        if sample.source == .message, let clock, clock.source == .pulse,
            moment.elapsed - clockCompared < Self.pulseMemory
        {
            return
        }
        let offset = ClockOffset(sample)
        clock = offset
        clockCompared = moment.elapsed
        history.append(offset)
    }

    private func isShown(_ device: String?) -> Bool {
        isFleet ? chosen == .some(device) : (chosen ?? current ?? .some(device)) == .some(device)
    }

    private mutating func process(_ sky: SkyView, at moment: Moment) {
        if let place = place(of: sky.device) {
            devices[place: place].used = sky.used
            devices[place: place].seen = sky.seen
        }
        guard skies[sky.device] != nil || skies.count < Self.skyLimit || isShown(sky.device) && chosen != nil
        else { return }
        skies.set(sky, for: sky.device)
        guard isShown(sky.device) else { return }
        showPicture()
        if let satellites = sky.satellites { picture.update(satellites, at: moment) }
        history.append(sky)
        trails.append(sky, at: moment)
    }

    private mutating func process(_ status: DeviceStatus, at moment: Moment) {
        guard let place = place(of: status.path) else { return }
        let before = devices[place: place].activity
        devices[place: place].activity = status.activity
        devices[place: place].kind = status.words
        if before != status.activity, !isFleet {
            let isBad = [.unopenable, .silent, .babbling, .gone].contains(status.activity)
            log.append("device", DeviceText(status).words, at: moment, isBad ? .bad : .plain)
        }
    }
}

extension IntegrityVerdict {
    /// The colour of what is shown of the verdict.
    var tint: CellStyle.Tint {
        switch self {
        case .nominal: .good
        case .suspect: .waiting
        case .alarm: .bad
        }
    }
}

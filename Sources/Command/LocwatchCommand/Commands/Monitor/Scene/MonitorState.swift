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

    /// The receivers that have a scene of their own besides that of the session.
    private static let sceneLimit = 4

    /// The origin of the session in words.
    let place: String
    /// The origin as the command line names it, for a line without room for the words.
    let word: String
    /// Whether the session is about a fleet, whose machines are shown side by side.
    private(set) var isFleet = false

    private(set) var now: Moment
    private(set) var state = LocationState.searching(.starting)
    /// The session time at which the state, and the search if there is one, began.
    private(set) var since = Duration.zero
    /// The session time at which the search for a position began.
    private(set) var searchedSince = Duration.zero
    private(set) var devices = PerDevice<MonitorDevice>()
    /// The reports of devices beyond the limit of the list.
    private(set) var unlistedReports = 0
    private var topics = CommonTopic()
    /// The judgement of the shown receiver, if it is not nominal.
    private(set) var objection: IntegrityChange?
    /// The receiver that was chosen to be shown, instead of the current one.
    private(set) var chosen: String??
    /// The receiver whose position is current, if any.
    private(set) var current: String??
    /// The scene of the current receivers.
    private var session: ReceiverScene
    private var scenes: [(device: String?, scene: ReceiverScene)] = []
    private var skies = PerDevice<SkyView>()
    /// The satellites of the shown receiver as the screen shows them.
    private(set) var picture = SkyPicture()
    private var pictured: String??
    private(set) var log = MonitorLog()
    private(set) var raw = RawLines()
    private(set) var report: ReceiverReport?
    /// The direction in which the shown receiver points, or a compass beside it.
    private(set) var attitude: Attitude?
    private(set) var positions = 0
    private var sessionDistance: Double?
    /// The fences, each with whether the shown receiver is in it if a position has decided that.
    private(set) var fences: [FencePlace] = []
    private let referencePoint: ReferencePoint?

    init(place: String, word: String? = nil, reference: ReferencePoint? = nil, now: Moment) {
        referencePoint = reference
        session = ReceiverScene(reference: reference)
        self.place = place.printable
        self.word = word?.printable ?? self.place
        self.now = now
    }

    /// The receiver whose position and satellites are shown, if any has reported.
    var shown: String?? { chosen ?? current ?? (devices.count > 0 ? .some(devices.device(at: 0)) : nil) }

    /// Whether all machines are shown, because none of them is chosen.
    var isOverview: Bool { isFleet && chosen == nil }

    /// Whether each device is shown and logged with its name.
    var namesEach: Bool { isFleet || devices.count > 1 }

    var isCurrent: Bool {
        guard let chosen else { return state.location != nil }
        return devices[chosen]?.state == .found
    }

    /// Returns the name of the device at a place, without what the names of machines have in common.
    func shortName(of place: Int) -> String {
        guard let name = devices.device(at: place) else { return "(unnamed)" }
        return (isFleet ? topics.remainder(of: name) : name).printable
    }

    /// Returns the name of the device at a place in the columns that there are, different from those of the receivers beside it.
    ///
    /// The names of machines differ at their ends.
    func shortName(of place: Int, to columns: Int, _ glyphs: Glyphs) -> String {
        let count = isFleet ? 0 : min(devices.count, ShortenedText.mostNames)
        return ShortenedText.receiver(
            shortName(of: place), among: (0..<count).map { shortName(of: $0) }, to: columns, glyphs)
    }

    /// The satellites that the shown receiver has reported last, unless they are outdated.
    var sky: SkyView? { shown.flatMap { skies[$0] } }

    /// The satellites of the shown position, or those of the search for one.
    var positionSky: SkyView? { isCurrent ? scene.sky : sky }

    /// The scene of the shown receiver, whose position may no longer be current.
    var scene: ReceiverScene {
        guard let chosen else { return session }
        return scenes.first { $0.device == chosen }?.scene ?? ReceiverScene()
    }

    var location: Location? { scene.location }

    /// The distance that the session has covered, unless another receiver than the current one is shown.
    var distance: Double? { shown == current ? sessionDistance : nil }

    /// The age of the shown position, by its arrival.
    var age: Duration? { scene.located.map { max(.zero, now.elapsed - $0) } }

    /// Advances the session time.
    mutating func advance(to moment: Moment) {
        guard moment >= now else { return }
        now = moment
        session.history.advance(to: moment, in: MonitorDevice.DeviceState(state))
        for place in scenes.indices {
            scenes[place].scene.history.advance(to: moment, in: state(of: scenes[place].device))
        }
    }

    private func state(of device: String?) -> MonitorDevice.DeviceState {
        devices[device]?.state == .found ? .found : .searching
    }

    /// Whether a receiver is the one whose position is that of the session; a machine with a name never is.
    private func isOfSession(_ device: String?) -> Bool {
        !isFleet && current ?? .some(device) == .some(device)
    }

    /// Changes what is shown of a receiver, and of the session if the receiver is the current one.
    private mutating func withScenes(of device: String?, _ change: (inout ReceiverScene) -> Void) {
        if isOfSession(device) { change(&session) }
        for place in scenes.indices where scenes[place].device == device { change(&scenes[place].scene) }
    }

    /// Begins to keep what is shown of a receiver.
    private mutating func addScene(of device: String?, _ scene: ReceiverScene? = nil) {
        guard !scenes.contains(where: { $0.device == device }) else { return }
        var scene = scene ?? ReceiverScene(reference: referencePoint)
        if scene.location == nil, let known = devices[device], let location = known.location {
            (scene.location, scene.located, scene.sky) = (location, known.located, known.sky)
        }
        scene.history.advance(to: now, in: state(of: device))
        if scenes.count >= Self.sceneLimit { scenes.removeLast() }
        scenes.append((device, scene))
    }

    /// Chooses the receiver to show, or `nil` for the current one.
    mutating func choose(_ device: String??) {
        guard chosen != device else { return }
        chosen = device
        if let device { addScene(of: device) }
        fences = []
        showPicture()
    }

    /// Replaces the satellites after another receiver has become the shown one.
    private mutating func showPicture() {
        guard pictured != shown else { return }
        pictured = shown
        picture = SkyPicture()
        if let satellites = sky?.distinctSatellites { picture.update(satellites, at: now) }
    }

    /// Keeps a line for a recording of what is in memory.
    mutating func keep(_ line: [UInt8], at moment: Moment) { raw.append(line, at: moment) }

    /// Processes an update or a change of state.
    mutating func process(_ update: TrackedUpdate, _ view: SessionView) {
        advance(to: update.moment)
        follow(view)
        sessionDistance = view.distance
        switch update {
        case .transition(let transition): process(transition)
        case .deviceTransition(let transition): processDevice(transition)
        case .handover(let handover):
            log.append("handover", HandoverText(handover).words, at: handover.moment, .waiting)
        // A notice follows it, which says more.
        case .fence(let event) where event.kind == .undecided: break
        case .fence(let event):
            let device = event.device.map { "\($0.printable): " } ?? ""
            let words = "\(device)\(event.kind.words) \(event.fence.printable)"
            log.append("fence", words, at: event.moment, event.kind == .exit ? .waiting : .good)
        case .integrity(let change):
            let device = view.devices.count > 1 ? change.device.map { "\($0.printable): " } ?? "" : ""
            let words = "\(device)\(IntegrityText(change).words)"
            log.append(change.to.rawValue, words, at: change.moment, change.to.tint)
        case .failureEnded: break
        case .update(let update, let standing): process(update, standing, view)
        }
    }

    /// Takes over the state of the session, and the last position of a receiver that has become the current one.
    private mutating func follow(_ view: SessionView) {
        state = view.state
        let judged = view[chosen ?? view.lastLocation?.device]?.integrity
        objection = judged?.to == .nominal ? nil : judged
        isFleet = view.isFleet
        attitude = chosen.map { view[$0]?.attitude } ?? view.attitude
        // Fences are about a machine, and not about one of its receivers.
        let place = chosen.map { view[$0]?.lastLocation } ?? view.lastLocation
        fences = isFleet == (chosen != nil) ? view.fencePlaces(for: chosen ?? nil, from: place?.coordinate) : []
        guard !isFleet, let location = view.location, current != .some(location.device) else { return }
        current = .some(location.device)
        showPicture()
        (session.location, session.sky) = (location, view.sky(of: location.device))
        session.located = devices[location.device]?.located ?? now.elapsed
    }

    private mutating func process(_ transition: StateChange) {
        if transition.from.location != nil { searchedSince = transition.moment.elapsed }
        since = transition.moment.elapsed
        switch transition.to {
        // The log has the changes of each machine.
        case .found where isFleet, .searching where isFleet && transition.isOfReceiver: break
        case .found(let location): logFound(location, "", transition)
        case .searching:
            let words = TransitionText(transition, style: TextStyle()).words
            log.append(transition.to.code, words, at: transition.moment, .waiting)
        case .error(let error): log.append("error", ErrorText(error).message, at: transition.moment, .bad)
        }
        session.history.change(to: MonitorDevice.DeviceState(state))
    }

    /// Appends an entry about a found position, with its place.
    private mutating func logFound(_ location: Location, _ name: String, _ transition: StateChange) {
        let words = TransitionText.found(location, after: transition.searched)
        let place = (coordinate: location.coordinate, accuracy: location.horizontalAccuracy)
        log.append(transition.to.code, name + words, place, at: transition.moment, .good)
    }

    private mutating func processDevice(_ transition: StateChange) {
        guard let place = place(of: transition.device) else { return }
        let before = devices[place: place].state
        devices[place: place].apply(transition)
        for place in scenes.indices where scenes[place].device == transition.device {
            scenes[place].scene.history.change(to: state(of: transition.device))
        }
        // With one receiver the changes of the session say the same.
        guard namesEach, before != .unknown || transition.to.location != nil else { return }
        let name = (transition.device == nil ? "an unnamed receiver" : shortName(of: place)) + ": "
        if let location = transition.to.location {
            logFound(location, name, transition)
        } else {
            let words = TransitionText(transition, style: TextStyle()).words
            log.append(transition.to.code, name + words, at: transition.moment, .waiting)
        }
    }

    private mutating func place(of device: String?) -> Int? {
        if devices.count < Self.deviceLimit || devices[device] != nil {
            let (count, place) = (devices.count, devices.place(of: device, default: MonitorDevice()))
            if place == count { noteDevice(device, at: place) }
            return place
        }
        unlistedReports += 1
        return nil
    }

    private mutating func noteDevice(_ device: String?, at place: Int) {
        topics.add(device)
        // With one receiver its scene is that of the session.
        guard place > 0, scenes.count < Self.sceneLimit else { return }
        if place == 1 { addScene(of: devices.device(at: 0), session) }
        addScene(of: device)
    }

    private mutating func process(_ update: LocationUpdate, _ standing: TrackedUpdate.Standing, _ view: SessionView) {
        switch update.event {
        case .location(let location):
            process(location, update, standing, stay: view.integrity.stay(of: location.device))
        case .satellites(let sky): process(update.sky ?? sky, at: update.moment)
        case .device(let status): process(status, update)
        case .notice(let notice):
            if case .lastKnown(let location) = notice.content { remember(location, update) }
            if !notice.isMinor { log.append("notice", notice.message.printable, at: update.moment) }
        case .authorization(.authorized): break
        case .authorization(let status): log.append("access", status.rawValue, at: update.moment)
        case .receiver(let report): self.report = report
        case .clock(let sample): withScenes(of: sample.device) { $0.process(sample, at: update.moment) }
        case .line(let bytes): raw.append(bytes, at: update.moment)
        case .searching(let reason, let device):
            if let device, let place = place(of: device), devices[place: place].state == .searching {
                devices[place: place].reason = reason
            }
        case .failure(let failure, _):
            if standing != .repeated, state != .error(failure) {
                log.append("error", ErrorText(failure).message, at: update.moment, .bad)
            }
        case .attitude, .other: break
        }
    }

    /// Appends advice on what to do.
    mutating func advise(_ words: String, at moment: Moment) { log.append("advice", words, at: moment, .waiting) }

    /// Keeps a position of a machine that does not show where it is now.
    private mutating func remember(_ location: Location, _ update: LocationUpdate) {
        guard let place = place(of: location.device) else { return }
        devices[place: place].remember(location, at: update.moment)
    }

    private mutating func process(
        _ location: Location, _ update: LocationUpdate, _ standing: TrackedUpdate.Standing, stay: Duration?
    ) {
        let moment = update.moment
        positions += 1
        if standing == .late, !location.isLate { return remember(location, update) }
        guard standing.isShown, !location.isLate else { return }
        if let place = place(of: location.device) { devices[place: place].move(to: location, update) }
        if update.sky == nil { forgetSky(of: location.device) }
        let located = devices[location.device]?.located ?? moment.elapsed
        withScenes(of: location.device) {
            $0.process(location, update.sky, at: moment, located: located, stay: stay)
        }
    }

    private func isShown(_ device: String?) -> Bool { chosen.map { $0 == device } ?? isOfSession(device) }

    private mutating func process(_ sky: SkyView, at moment: Moment) {
        // A position has its own satellites.
        if let place = place(of: sky.device), devices[place: place].state != .found {
            devices[place: place].sky = sky
        }
        guard skies[sky.device] != nil || skies.count < Self.skyLimit || isShown(sky.device) && chosen != nil
        else { return }
        skies.set(sky, for: sky.device)
        withScenes(of: sky.device) { $0.process(sky, at: moment) }
        guard isShown(sky.device) else { return }
        showPicture()
        if let satellites = sky.distinctSatellites { picture.update(satellites, at: moment) }
    }

    /// Forgets satellites that are too old to belong to the position of their receiver.
    private mutating func forgetSky(of device: String?) {
        guard skies[device]?.hasFigures ?? false else { return }
        skies.set(SkyView(satellites: nil, device: device), for: device)
        if isShown(device) { picture = SkyPicture() }
    }

    private mutating func process(_ status: DeviceStatus, _ update: LocationUpdate) {
        guard let place = place(of: status.path) else { return }
        let before = devices[place: place].activity
        devices[place: place].activity = status.activity
        devices[place: place].kind = status.words
        if before != status.activity, update.subject == nil {
            let tint: CellStyle.Tint = status.activity.isTrouble ? .bad : .plain
            log.append("device", DeviceText(status).words, at: update.moment, tint)
        }
    }
}

extension SkyView {
    fileprivate var hasFigures: Bool { seen != nil || used != nil || dilution != DilutionOfPrecision() }
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

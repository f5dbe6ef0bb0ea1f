import LocationCore

/// The change of a receiver's rate, or only a look at it: which receiver, what it can, what it does, and back if it does not obey.
///
/// It has no clock: updates and moments go in, and requests go to the control of the session, until there is an outcome.
struct RateChange {
    enum Phase: Hashable, Sendable {
        /// The receiver is observed: its driver, its rate, and the bytes of an epoch.
        case observing
        /// The rate is asked for, and the receiver may answer.
        case asking
        /// The rate is measured.
        case measuring
        /// The rate before is asked for again, and measured.
        case undoing(RateFailure)
    }

    /// The wish, or `nil` for a look only.
    let wish: Duration?
    /// The pattern of the name of the receiver, if one was named.
    private let pattern: NamePattern?
    private let control: ReceiverControl
    /// Whether the receiver may be asked, which writes to it.
    private let mayAsk: Bool
    /// Whether it is known that gpsd writes nothing, although it does not say so.
    private let isReadOnly: Bool
    /// Returns whether the line of a device has a speed that limits it.
    private let hasSpeed: (String) -> Bool
    private let rules: RateRules

    private(set) var phase = Phase.observing
    private(set) var outcome: RateOutcome?
    /// The receiver, as soon as it is the only one.
    private(set) var status: DeviceStatus?
    /// The cycle before the change.
    private(set) var before: Duration?
    private var devices: [String: DeviceStatus] = [:]
    private var intervals = EpochIntervals()
    private var capacity: LineCapacity?
    /// The cycle that gpsd has noted since it was asked for the wish: the wish, or another one that a u-blox has answered.
    private var said: Duration?
    /// Whether the receiver was asked about itself.
    private var hasAsked = false
    /// The requests that are sent later, in their order.
    private var planned: [(request: ReceiverControl.Request, due: Moment)] = []
    /// The end of the patience in this phase.
    private var due: Moment?
    /// The moment at which the receiver can have answered, if it was asked.
    private var answerDue: Moment?
    /// The moment at which the bytes must be counted, if they are.
    private var countDue: Moment?

    init(
        to wish: Duration?, of device: String?, through control: ReceiverControl, mayAsk: Bool,
        isReadOnly: Bool = false, hasSpeed: @escaping (String) -> Bool, rules: RateRules = RateRules()
    ) {
        self.wish = wish
        pattern = device.map { NamePattern($0) }
        self.control = control
        self.mayAsk = mayAsk
        self.isReadOnly = isReadOnly
        self.hasSpeed = hasSpeed
        self.rules = rules
    }

    /// Whether the receiver may have another rate than before, without an outcome that says so.
    var isUnfinished: Bool { outcome == nil && phase != .observing }

    /// The moment at which `expire` has something to do, unless updates arrive before.
    var deadline: Moment? {
        outcome == nil ? [due, planned.first?.due, answerDue, countDue].compactMap(\.self).min() : nil
    }

    mutating func process(_ update: LocationUpdate) {
        guard outcome == nil else { return }
        let now = update.moment
        if due == nil { due = now.advanced(by: rules.patience) }
        switch update.event {
        case .device(let device): note(device, at: now)
        case .searching(.noDevice, _): outcome = .refused(.noReceiver)
        case .location(let location) where location.device == status?.path: note(location, at: now)
        default: break
        }
        expire(at: now)
    }

    mutating func expire(at now: Moment) {
        guard outcome == nil else { return }
        while let next = planned.first, next.due <= now {
            planned.removeFirst()
            send(next.request)
        }
        if let answer = answerDue, answer <= now { answerDue = nil }
        noteCount(at: now)
        switch phase {
        case .observing: observe(at: now)
        case .asking where answerDue == nil: measure(at: now)
        case .asking: break
        case .measuring: judge(at: now)
        case .undoing(let failure): restore(after: failure, at: now)
        }
    }

    private func send(_ request: ReceiverControl.Request) {
        if let status { control.send(request, to: status.path) }
    }

    // MARK: The receiver

    private mutating func note(_ device: DeviceStatus, at now: Moment) {
        devices[device.path] = device
        if let status {
            if device.path == status.path {
                self.status = device
                said = device.cycle
            }
        } else {
            status = chosen.count == 1 ? chosen.first : nil
        }
        // A daemon lists all its receivers at once, each with an update.
        if phase == .observing, chosen.count > 1 { outcome = .refused(.severalReceivers(chosen.map(\.path))) }
    }

    /// The receivers that can be meant.
    private var chosen: [DeviceStatus] {
        devices.values.filter { device in
            device.activity != .gone && device.activity != .unopenable && pattern?.matches(device.path) != false
        }.sorted { $0.path < $1.path }
    }

    private mutating func note(_ location: Location, at now: Moment) {
        let count = intervals.all.count
        intervals.note(location)
        guard intervals.all.count > count, let interval = intervals.all.last else {
            return
        }
        // A slow receiver needs more time, as long as it goes on; one that was measured needs no more.
        if phase == .observing, count >= rules.intervalsBefore { return }
        let least = phase == .observing ? rules.answer : rules.silence
        due = max(due ?? now, now.advanced(by: max(least, interval * 5)))
    }

    // MARK: The rate before

    private mutating func observe(at now: Moment) {
        guard let status else {
            if isOver(now) { outcome = .refused(.noReceiver) }
            return
        }
        if wish != nil, isReadOnly || status.isReadOnly {
            outcome = .refused(.readOnly(device: status.path))
            return
        }
        if status.minimumCycle != nil, !hasAsked { ask(at: now) }
        let isMeasured = intervals.all.count >= rules.intervalsBefore
        guard isMeasured, status.minimumCycle != nil, answerDue == nil, countDue == nil else {
            if isOver(now) { giveUp(status) }
            return
        }
        decide(status, at: now)
    }

    /// Asks a receiver about its rate if it can tell, and counts its bytes if its line has a speed.
    private mutating func ask(at now: Moment) {
        hasAsked = true
        if hasSpeed(status?.path ?? "") {
            send(.countBytes(within: rules.counting))
            countDue = now.advanced(by: rules.counting + .seconds(3))
        }
        if mayAsk { poll(at: now) }
    }

    /// Asks a u-blox receiver for its rate, and gpsd for the answer.
    private mutating func poll(at now: Moment) {
        guard status?.driver == UBXRate.driver else { return }
        planned.append((.write(UBXRate.poll), now))
        let answer = now.advanced(by: rules.answer)
        planned.append((.reportState, answer))
        answerDue = answer.advanced(by: rules.answer / 2)
    }

    private mutating func noteCount(at now: Moment) {
        guard let countDue else { return }
        if let count = control.byteCount, let cycle = intervals.median {
            capacity = LineCapacity(
                bytes: count, within: rules.counting, cycle: cycle, bitsPerSecond: status?.speed)
            self.countDue = nil
        } else if countDue <= now {
            self.countDue = nil
        }
    }

    private func isOver(_ now: Moment) -> Bool { due.map { $0 <= now } ?? false }

    /// Ends the observation of a receiver that does not tell enough in time.
    private mutating func giveUp(_ status: DeviceStatus) {
        if wish == nil, status.driver != nil {
            outcome = .shown(report)
        } else if let driver = status.driver {
            outcome = .refused(
                status.minimumCycle == nil
                    ? .noRate(device: status.path, driver: driver) : .noPosition(device: status.path))
        } else {
            outcome = .refused(.noData(device: status.path))
        }
    }

    private var report: RateReport {
        RateReport(
            status: status ?? DeviceStatus(path: ""),
            cycle: intervals.all.count >= rules.intervalsBefore ? intervals.median : nil, capacity: capacity)
    }

    /// Asks for the wish, unless it is granted already or cannot be.
    private mutating func decide(_ status: DeviceStatus, at now: Moment) {
        guard let wish else {
            outcome = .shown(report)
            return
        }
        guard let cycle = intervals.median, let shortest = status.shortestCycle else { return }
        if wish < shortest {
            outcome = .refused(.tooFast(report, wish: wish, shortest: shortest))
        } else if cycle.isEqual(to: wish, within: rules.sameness) {
            outcome = .unchanged(report)
        } else if let capacity, !capacity.carries(cycle: wish) {
            outcome = .refused(.slowLine(report, wish: wish, capacity))
        } else {
            before = cycle.rounded
            phase = .asking
            request(wish, at: now)
        }
    }

    /// Asks for a cycle; the receiver has some time for it before it is measured.
    private mutating func request(_ cycle: Duration, at now: Moment) {
        intervals = EpochIntervals()
        planned = []
        said = nil
        send(.setCycle(cycle))
        answerDue = now.advanced(by: rules.answer)
        if mayAsk { poll(at: now.advanced(by: rules.answer / 4)) }
        due = now.advanced(by: rules.patience)
    }

    // MARK: The rate after

    /// The cycle that a u-blox says it has, if it is another one than the wish.
    private var contradiction: Duration? {
        // gpsd cuts what it has noted off to hundredths of a second.
        guard let wish, let said, status?.driver == UBXRate.driver, abs(said.inSeconds - wish.inSeconds) > 0.011,
            !said.isEqual(to: wish, within: rules.tolerance)
        else { return nil }
        return said
    }

    private mutating func measure(at now: Moment) {
        guard let wish else { return }
        if let said = contradiction { return undo(after: .says(said), at: now) }
        phase = .measuring
        intervals = EpochIntervals()
        due = now.advanced(by: max(rules.silence, max(wish, before ?? wish) * 5))
    }

    private mutating func judge(at now: Moment) {
        guard let wish, let before else { return }
        // The answer of a slow receiver comes while it is measured.
        if let said = contradiction { return undo(after: .says(said), at: now) }
        switch intervals.verdict(on: wish, by: rules) {
        case .kept: outcome = .changed(report, before: before)
        case .differs(let cycle): undo(after: .measures(cycle), at: now)
        case .lost(let count): undo(after: .loses(count), at: now)
        case .undecided: if isOver(now) { undo(after: .silent, at: now) }
        }
    }

    private mutating func undo(after failure: RateFailure, at now: Moment) {
        guard let before else { return }
        phase = .undoing(failure)
        request(before, at: now)
    }

    private mutating func restore(after failure: RateFailure, at now: Moment) {
        guard let before else { return }
        guard answerDue == nil else {
            // Epochs of the rate that is being left.
            intervals = EpochIntervals()
            return
        }
        let isMeasured = intervals.all.count >= rules.intervalsBefore
        guard isMeasured || isOver(now) else { return }
        let isBack = isMeasured && intervals.median?.isEqual(to: before, within: rules.tolerance) == true
        outcome = .undone(failure, report, before: before, isMeasured: isBack)
    }
}

extension DeviceStatus {
    /// The shortest cycle that gpsd sets, if its driver can set any.
    var shortestCycle: Duration? {
        minimumCycle.map { driver == UBXRate.driver ? max($0, UBXRate.shortestCycle) : $0 }
    }
}

extension Duration {
    func isEqual(to other: Duration, within part: Double) -> Bool {
        abs(inSeconds - other.inSeconds) <= other.inSeconds * part
    }

    /// The next cycle of whole hundredths of a second if it is that within a hundredth, or else of whole milliseconds.
    fileprivate var rounded: Duration {
        let hundredths = Duration(clampingSeconds: (inSeconds * 100).rounded() / 100)
        return hundredths.isEqual(to: self, within: 0.01)
            ? hundredths : Duration(clampingSeconds: (inSeconds * 1000).rounded() / 1000)
    }
}

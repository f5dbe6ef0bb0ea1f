import LocwatchSupport

/// A monitor that judges from a session's updates whether the positions of its receivers are to be believed.
///
/// It is a value without a clock: each update carries its moment, so a replay at any pace gives the same verdicts. It needs
/// constant memory for each receiver and, after its first positions, allocates nothing while it is nominal. Each rule has a
/// name, an element of ``IntegrityReasons``; a single one makes a receiver ``IntegrityVerdict/suspect``, and one by far, or
/// two independent ones at the same time, make an ``IntegrityVerdict/alarm``. A reason stays for a minute after it was last
/// observed, and a jump until its place is confirmed.
///
/// A session's own monitor is part of its view, so most programs need none:
///
/// ```swift
/// for try await update in provider.tracked() {
///     if case .integrity(let change) = update, change.to == .alarm { warn(change.message) }
/// }
/// ```
///
/// The monitor cannot see an attack that changes the position slowly, with a matching speed, signals and time.
package struct IntegrityMonitor: Sendable {
    private let rules: IntegrityRules
    private var positions = PerDevice<PositionIntegrity>()
    private var skies = PerDevice<SkyIntegrity>()
    /// The judgement of each receiver that a rule has ever objected to.
    private var judgements = PerDevice<Judgement>()
    private var interference = PerDevice<Interference>()
    private var agreement = ReceiverAgreement()
    /// The civil time of the last report, and its moment, in seconds of the session.
    private var wall: Timestamp?
    private var latest = 0.0

    /// The objections to a receiver at present.
    fileprivate struct Judgement: Sendable {
        var reported: IntegrityChange
        var reasons: IntegrityReasons = []
        var isDecisive = false
        /// Whether the receiver is in alarm, or was since its place is in doubt, and its positions are not to be relied on.
        var isDoubted = false
        /// The end of each reason, in the order of its bits, and of what was decisive, in seconds of the session.
        var ends = [Double](repeating: 0, count: IntegrityReasons.named.count)
        var decisiveEnd = 0.0

        var verdict: IntegrityVerdict {
            if reasons.isEmpty { return .nominal }
            return isDecisive || reasons.areIndependent ? .alarm : .suspect
        }

        /// Whether there is no objection, and its end has been reported.
        var hasEnded: Bool { reasons.isEmpty && reported.to == .nominal }
    }

    private struct Interference: Sendable {
        var lowest = Int.max
        var antennaWasFine = false
    }

    /// Creates the monitor of a session that begins now.
    package init(rules: IntegrityRules = IntegrityRules()) { self.rules = rules }

    /// Returns the last change of a receiver's judgement, or `nil` if it has always been nominal.
    package func lastChange(of device: String?) -> IntegrityChange? { judgements[device]?.reported }

    /// Returns the judgement of a receiver, as reported last.
    package func verdict(of device: String?) -> IntegrityVerdict { judgements[device]?.reported.to ?? .nominal }

    /// Returns whether the last position of a receiver is in alarm and not confirmed, so that nothing is to be decided by it.
    ///
    /// An alarm for nothing but a jump ends with the doubt about its place, as after a return, although the verdict stays for a minute. A
    /// place that an alarm has put in doubt is not confirmed by the end of the alarm.
    func isDoubted(_ device: String?) -> Bool { judgements[device]?.isDoubted ?? false }

    /// Whether a rule has ever objected to any receiver.
    package var hasChanges: Bool { judgements.count > 0 }

    /// Returns whether a receiver stands still, by its speed and the scatter of its positions over a minute.
    package func isStationary(_ device: String?) -> Bool { positions[device]?.stillness.isStill ?? false }

    /// Returns the time for which a receiver has stood still, if it does.
    func standstill(of device: String?) -> Duration? {
        positions[device]?.stillness.duration.map { Duration(clampingSeconds: $0) }
    }

    /// Returns the time since a receiver came to where it is, if it has reported a position.
    package func stay(of device: String?) -> Duration? {
        positions[device].map { Duration(clampingSeconds: $0.stillness.stood) }
    }

    /// Processes an update, and returns the change of its receiver's judgement, if it causes one.
    package mutating func process(_ update: LocationUpdate) -> IntegrityChange? {
        switch update.event {
        case .location(let location): process(location, at: update.moment, of: update.subject)
        case .satellites(let sky): process(sky, at: update.moment)
        case .receiver(let report): process(report, at: update.moment)
        case .searching, .failure, .attitude, .device, .authorization, .clock, .line, .notice, .other: nil
        }
    }

    // MARK: Rules

    /// Processes a position; extracting it from its event once serves the caller too.
    ///
    /// A machine with a name reports over a network with delays, so its clock is not judged, and it is compared with no other.
    mutating func process(_ location: Location, at moment: Moment, of subject: String?) -> IntegrityChange? {
        guard !location.isLate, location.fix >= .twoD else { return nil }
        let time = begin(moment)
        let place = positions.place(of: location.device, default: PositionIntegrity())
        var findings: [IntegrityFinding] = []
        positions[place: place].process(location, at: time, wall: subject == nil ? moment.wall : nil, rules) {
            findings.append($0)
        }
        if positions.count > 1, subject == nil { compare(place, at: time, &findings) }
        note(location[count: .jamming], location[count: .antennaStatus], of: location.device, &findings)
        return judge(location.device, findings, at: moment, time)
    }

    mutating func process(_ sky: SkyView, at moment: Moment) -> IntegrityChange? {
        guard let summary = sky.summary else { return nil }
        let time = begin(moment)
        let place = skies.place(of: sky.device, default: SkyIntegrity())
        let position = positions.index(of: sky.device)
        var findings: [IntegrityFinding] = []
        skies[place: place].process(
            summary, at: time, speed: position.map { positions[place: $0].speed } ?? 0,
            isStill: position.map { positions[place: $0].stillness.isStill } ?? false,
            position: position.map { positions[place: $0].latest } ?? -.infinity, rules
        ) { findings.append($0) }
        return judge(sky.device, findings, at: moment, time)
    }

    /// Returns a moment in seconds, after forgetting the past if the moment is in another recording.
    ///
    /// In recordings of several days, one after another, the civil time leaps while no time of the session passes.
    private mutating func begin(_ moment: Moment) -> Double {
        let time = moment.elapsed.inSeconds
        if let wall {
            let leap = Double(clampingNanoseconds: moment.wall, since: wall) - (time - latest)
            // A leap by years can be that of the receiver's clock, by which a recording without times of arrival is dated.
            if leap >= IntegrityRules.otherDay, leap < IntegrityRules.otherYear {
                forget()
            }
        }
        (wall, latest) = (moment.wall, time)
        return time
    }

    /// Forgets all that was observed; a receiver that is not nominal becomes so with its next report.
    private mutating func forget() {
        (positions, skies, agreement) = (PerDevice(), PerDevice(), ReceiverAgreement())
        interference = PerDevice()
        for place in 0..<judgements.count { judgements[place: place].end() }
    }

    mutating func process(_ report: ReceiverReport, at moment: Moment) -> IntegrityChange? {
        let time = begin(moment)
        var findings: [IntegrityFinding] = []
        note(report.jamming, report.antennaStatus, of: report.device, &findings)
        return judge(report.device, findings, at: moment, time)
    }

    private mutating func note(
        _ jamming: Int?, _ antenna: Int?, of device: String?, _ findings: inout [IntegrityFinding]
    ) {
        guard jamming != nil || antenna != nil else { return }
        let place = interference.place(of: device, default: Interference())
        if let jamming, 0...255 ~= jamming {
            let lowest = min(interference[place: place].lowest, jamming)
            interference[place: place].lowest = lowest
            if jamming >= IntegrityRules.strongInterference
                || jamming >= rules.interference && jamming - lowest >= rules.interferenceRise
            {
                findings.append(IntegrityFinding(reason: .receiver, values: .interference(jamming)))
            }
        }
        switch antenna {
        case IntegrityRules.antennaFine: interference[place: place].antennaWasFine = true
        // A passive antenna is reported as open all the time.
        case IntegrityRules.antennaOpen where interference[place: place].antennaWasFine:
            findings.append(IntegrityFinding(reason: .receiver, values: .antenna(isOpen: true)))
        case IntegrityRules.antennaShort:
            findings.append(IntegrityFinding(reason: .receiver, values: .antenna(isOpen: false)))
        default: break
        }
    }

    private mutating func compare(_ place: Int, at time: Double, _ findings: inout [IntegrityFinding]) {
        guard place < IntegrityRules.comparedReceivers, let coordinate = positions[place: place].coordinate else {
            return
        }
        for other in 0..<min(positions.count, IntegrityRules.comparedReceivers) where other != place {
            let age = time - positions[place: other].latest
            guard age <= IntegrityRules.comparable, let second = positions[place: other].coordinate else { continue }
            let (one, two) = (positions[place: place], positions[place: other])
            let limit =
                IntegrityRules.errorFactor * (one.error + two.error) + max(one.speed, two.speed) * age
                + rules.apart
            let distance = coordinate.distance(to: second)
            if let apart = agreement.compare(place, other, distance: distance, limit: limit, at: time) {
                let values = IntegrityFinding.Values.disagreement(metres: apart, with: positions.device(at: other))
                findings.append(IntegrityFinding(reason: .disagreement, values: values))
            } else if distance <= limit, !two.isInDoubt {
                positions[place: place].confirm()
            }
        }
    }

    // MARK: Judgement

    /// Updates the judgement of a receiver, and returns the change if it is to be reported.
    private mutating func judge(
        _ device: String?, _ findings: [IntegrityFinding], at moment: Moment, _ time: Double
    ) -> IntegrityChange? {
        // Usually nothing has ever been observed.
        if findings.isEmpty, judgements.count == 0 { return nil }
        return review(device, findings, at: moment, time)
    }

    private mutating func review(
        _ device: String?, _ findings: [IntegrityFinding], at moment: Moment, _ time: Double
    ) -> IntegrityChange? {
        if findings.isEmpty, judgements[device].map({ $0.hasEnded }) ?? true { return nil }
        let nominal = IntegrityChange(device: device, from: .nominal, to: .nominal, reasons: [], at: moment)
        let place = judgements.place(of: device, default: Judgement(reported: nominal))
        let isInDoubt = positions[device]?.isInDoubt ?? false
        var lasting: IntegrityReasons = isInDoubt ? .jump : []
        if skies[device]?.isLow(at: time) ?? false { lasting.insert(.signal) }
        judgements[place: place].apply(findings, lasting: lasting, at: time)
        judgements[place: place].followDoubt(isInDoubt)
        let judgement = judgements[place: place]
        let (reported, verdict) = (judgement.reported, judgement.verdict)
        let news = judgement.reasons.subtracting(reported.reasons)
        guard verdict != reported.to || !news.isEmpty else {
            // A reason that has ended does not make a line, but returning it does.
            judgements[place: place].reported.reasons = judgement.reasons
            return nil
        }
        let change = IntegrityChange(
            device: device, from: reported.to, to: verdict, reasons: judgement.reasons,
            message: Self.message(findings, news: news, verdict, before: reported), at: moment)
        judgements[place: place].reported = change
        return change
    }

    private static func message(
        _ findings: [IntegrityFinding], news: IntegrityReasons, _ verdict: IntegrityVerdict, before: IntegrityChange
    ) -> String {
        if verdict == .nominal { return "nothing objects to it any longer" }
        let shown = news.isEmpty ? findings : findings.filter { news.contains($0.reason) }
        return shown.isEmpty ? before.message : shown.map(\.values.words).joined(separator: "; ")
    }
}

extension IntegrityMonitor.Judgement {
    /// Decides whether the place is to be relied on, given whether a jump has put it in doubt.
    fileprivate mutating func followDoubt(_ isInDoubt: Bool) {
        let isAlarm = verdict == .alarm && (isInDoubt || reasons != .jump)
        isDoubted = isAlarm || isDoubted && isInDoubt
    }

    /// Ends all reasons.
    fileprivate mutating func end() { (reasons, isDecisive, isDoubted) = ([], false, false) }

    /// Adds observations, and ends the reasons that were not observed for a while, except the `lasting` ones.
    fileprivate mutating func apply(_ findings: [IntegrityFinding], lasting: IntegrityReasons, at time: Double) {
        for finding in findings {
            reasons.formUnion(finding.reason)
            ends[finding.reason.rawValue.trailingZeroBitCount] = time + IntegrityRules.hold
            if finding.isDecisive { (isDecisive, decisiveEnd) = (true, time + IntegrityRules.hold) }
        }
        if lasting.contains(.signal), reasons.contains(.signal) {
            ends[IntegrityReasons.signal.rawValue.trailingZeroBitCount] = time + IntegrityRules.hold
        }
        for (reason, _) in IntegrityReasons.named where reasons.contains(reason) && !lasting.contains(reason) {
            if ends[reason.rawValue.trailingZeroBitCount] <= time { reasons.remove(reason) }
        }
        if decisiveEnd <= time { isDecisive = false }
    }
}

extension IntegrityReasons {
    /// Whether the reasons have causes that are independent of each other: the position, the time, the satellites, the
    /// strength of the signals, or the receiver's own report.
    fileprivate var areIndependent: Bool {
        let groups: [IntegrityReasons] = [
            [.jump, .teleport, .height, .frozen], [.disagreement], [.clock, .rollover], [.signal],
            [.uniform, .sky, .constellation], [.receiver],
        ]
        return groups.count { !isDisjoint(with: $0) } > 1
    }
}

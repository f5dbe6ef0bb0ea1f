/// The trackers of all subjects of a session, and the state of the session as a whole.
///
/// A *subject* is what a position is about: the machine of the session, whose receivers are compared with each other, or one of
/// any number of machines with names. From the first name on, the session has a position while any machine has one, and shows
/// the newest.
package struct SubjectTrackers: Sendable {
    private let staleAfter: Duration?
    private var machine: ReceiverTrackers
    private var named: NamedSubjects?

    /// Creates the trackers of a session that begins now.
    package init(staleAfter: Duration? = nil) {
        self.staleAfter = staleAfter
        machine = ReceiverTrackers(staleAfter: staleAfter)
    }

    /// Whether the source is a track, which names the time after which its positions are stale.
    var isTrack: Bool { machine.isTrack }

    package var state: LocationState { named?.state ?? machine.state }

    /// The state of each receiver, or of each machine with a name.
    package var devices: [String?: LocationState] { named?.states ?? machine.devices }

    /// Returns the state of a receiver or of a machine with a name, or `nil` if it has not been reported.
    package func state(of device: String?) -> LocationState? {
        named.map { $0.state(of: device) } ?? machine.state(of: device)
    }

    /// Returns the interval of the reports of a receiver or of a machine with a name, or `nil` if it has not been reported.
    func reports(of device: String?) -> ReportInterval.Estimate? {
        named.map { $0.reports(of: device) } ?? machine.reports(of: device)
    }

    /// The moment at which `expire` must be called if nothing arrives before.
    package var deadline: Moment? { named.map(\.deadline) ?? machine.deadline }

    /// Processes an event about a subject and returns the resulting changes; deadlines that passed before it are
    /// applied first.
    package mutating func apply(
        _ event: LocationEvent, at moment: Moment, of subject: String? = nil, isSuitable: Bool = true
    ) -> [TrackedUpdate] {
        if case .staleAfter(let time) = event.notice { machine.suppose(staleAfter: time) }
        if subject != nil, named == nil { named = NamedSubjects(staleAfter: staleAfter, after: machine) }
        if let changes = named?.apply(event, at: moment, of: subject, isSuitable: isSuitable) { return changes }
        return machine.apply(event, at: moment, isSuitable: isSuitable)
    }

    /// Returns the standing of a position of a subject that was applied last.
    func standing(of location: Location, _ subject: String?) -> TrackedUpdate.Standing {
        named?.standing(of: location, subject) ?? machine.standing(of: location)
    }

    /// Expires the positions whose deadline has passed, each as of its deadline, and returns the resulting changes.
    package mutating func expire(at moment: Moment) -> [TrackedUpdate] {
        named?.expire(at: moment) ?? machine.expire(at: moment)
    }
}

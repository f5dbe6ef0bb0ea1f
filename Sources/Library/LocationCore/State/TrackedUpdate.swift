/// An event of a session, or a change that the event or the passing of time caused.
public enum TrackedUpdate: Hashable, Sendable {
    /// An event from the provider, with its standing in the session.
    case update(LocationUpdate, Standing = .current)
    /// A change of the session's state.
    indirect case transition(StateChange)
    /// A change of one receiver's state, for clients that follow each receiver; its `device` names the receiver.
    indirect case deviceTransition(StateChange)
    /// A change of the current receiver.
    indirect case handover(Handover)
    /// An event at a fence of the session.
    indirect case fence(FenceEvent)
    /// A change of the judgement of a receiver: whether its positions are to be believed.
    indirect case integrity(IntegrityChange)
    /// The end of a failure, with the number of its repetitions, because something arrived or something else failed.
    indirect case failureEnded(FailureRun, at: Moment)

    /// The standing of an event in its session; an event that is neither a position nor a failure is `current`.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// The position shows where the machine is now; the failure is new.
        case current
        /// Another receiver than the current one has reported the position, late or not.
        case other
        /// The position is older than the last one of its receiver, which is the current one, if any; or a device of a fleet has
        /// sent it more than ten minutes late, without a request that limits the age.
        case late
        /// The daemon has repeated a position from before a loss, or it has too few dimensions.
        case outdated
        /// The request does not admit the position. A session leaves such a position out, so no update has this standing.
        case withheld
        /// The failure repeats the last one, and nothing has arrived in between.
        case repeated

        /// Whether the position is one to show, of any receiver.
        package var isShown: Bool {
            switch self {
            case .current, .other, .late: true
            case .outdated, .withheld, .repeated: false
            }
        }
    }

    /// The position and its standing, if the update is one.
    public var position: (location: Location, standing: Standing)? {
        if case .update(let update, let standing) = self, let location = update.location {
            (location, standing)
        } else {
            nil
        }
    }

    /// The moment of the event or of the change.
    public var moment: Moment {
        switch self {
        case .update(let update, _): update.moment
        case .fence(let event): event.moment
        case .integrity(let change): change.moment
        case .failureEnded(_, let moment): moment
        case .transition(let transition), .deviceTransition(let transition): transition.moment
        case .handover(let handover): handover.moment
        }
    }
}

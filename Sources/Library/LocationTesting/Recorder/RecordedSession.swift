public import LocationCore

/// The updates of a session and the resulting state changes.
public struct RecordedSession: Sendable {
    /// The updates, in order.
    public private(set) var updates: [LocationUpdate] = []
    /// The standing of each update.
    public private(set) var standings: [TrackedUpdate.Standing] = []
    /// The changes of the session's state.
    public private(set) var transitions: [StateChange] = []
    /// The changes of each receiver's state.
    public private(set) var deviceTransitions: [StateChange] = []
    /// The changes of the current receiver.
    public private(set) var handovers: [Handover] = []
    /// The events at fences.
    public private(set) var fenceEvents: [FenceEvent] = []
    /// The way the session ended, or `nil` while it runs.
    public private(set) var ending: Ending?

    /// The way a session ended.
    public enum Ending: Hashable, Sendable {
        /// The session ended by itself or because its task was cancelled.
        case ended
        /// The session threw an error.
        case threw(LocationError)
    }

    /// Adds what the recorder has received.
    mutating func append(_ entry: LocationRecorder.RecorderEntry) {
        switch entry {
        case .tracked(.update(let update, let standing)):
            updates.append(update)
            standings.append(standing)
        case .tracked(.transition(let transition)): transitions.append(transition)
        case .tracked(.deviceTransition(let transition)): deviceTransitions.append(transition)
        case .tracked(.handover(let handover)): handovers.append(handover)
        case .tracked(.fence(let event)): fenceEvents.append(event)
        case .tracked(.integrity), .tracked(.failureEnded): break
        case .over(let ending): self.ending = ending
        }
    }

    /// The positions.
    public var locations: [Location] {
        updates.compactMap { if case .location(let location) = $0.event { location } else { nil } }
    }

    /// The failures that did not end the session.
    public var failures: [LocationError] {
        updates.compactMap { if case .failure(let error, _) = $0.event { error } else { nil } }
    }

    /// The states of the session, beginning with the initial search.
    public var states: [LocationState] { [.searching(.starting)] + transitions.map(\.to) }
}

/// The memory that a list of fences has of one of them: its state, and its last event.
///
/// A record is `Codable`. A program that stores the ``FenceList/records`` of its list, and makes the list of them after a restart, gets
/// `enter` and `exit`, and no second `inside`:
///
/// ```swift
/// let saved = try JSONDecoder().decode([FenceRecord].self, from: Data(contentsOf: file))
/// let fences = FenceList(restoring: saved)
/// ```
public struct FenceRecord: Hashable, Sendable {
    /// The state of a fence.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// The position is inside.
        case satisfied
        /// The position is outside.
        case unsatisfied
        /// No position has decided yet.
        case unknown
    }

    /// The last event at a fence.
    public struct Event: Hashable, Sendable, Codable {
        /// The kind of the event.
        public let kind: FenceEvent.Kind
        /// The civil time of the event.
        public let time: Timestamp
        /// The coordinate of the event.
        public let coordinate: Coordinate

        package init(kind: FenceEvent.Kind, time: Timestamp, coordinate: Coordinate) {
            self.kind = kind
            self.time = time
            self.coordinate = coordinate
        }
    }

    /// The fence, as it was added to the list.
    public let fence: Fence
    /// The device of a fleet that the record is about, or `nil` in a session with one position.
    public let device: String?
    /// The state of the fence.
    public internal(set) var state: State
    /// The last event, if there was one.
    public internal(set) var lastEvent: Event?
    /// The circle of an anchor that has its position.
    var placed: Fence?

    init(_ fence: Fence, device: String? = nil, state: State = .unknown) {
        self.fence = fence
        self.device = device
        self.state = state
    }

    /// Creates a record that a program has stored in a form of its own.
    ///
    /// - Parameter place: The centre of an anchor that has its position.
    package init(
        _ fence: Fence, device: String?, state: State, lastEvent: Event?, place: Coordinate?
    ) {
        self.init(fence, device: device, state: state)
        self.lastEvent = lastEvent
        if let place, case .anchor = fence.shape { placed = fence.anchored(at: place) }
    }

    /// The centre of an anchor that has its position.
    package var place: Coordinate? { placed?.center }

    /// Returns the record of an anchor that has another place.
    func moved(to placed: Fence) -> FenceRecord {
        var record = self
        record.placed = placed
        return record
    }

    /// Returns the record after an event.
    func after(_ event: FenceEvent, placed: Fence?) -> FenceRecord {
        var record = self
        record.state =
            switch event.kind {
            case .inside, .enter, .dwell: .satisfied
            case .outside, .exit: .unsatisfied
            case .undecided: state
            }
        record.lastEvent = Event(kind: event.kind, time: event.moment.wall, coordinate: event.coordinate)
        record.placed = placed == fence ? nil : placed
        return record
    }
}

extension FenceRecord: Codable {}

extension FenceEvent.Kind: Codable {}

import LocationCore
import LocwatchArguments

/// The receiver that was requested of a recording or a fleet, and the ones that there are.
///
/// A gpsd refuses a receiver that it does not have; a recording must be read to know. A device of a fleet can report at
/// any time, so that its absence is only a notice.
struct RequestedReceiver {
    /// The number of receivers that the error and the notice name.
    private static let limit = 8
    /// The time from the first device of a fleet within which the others are expected.
    private static let grace = Duration.seconds(5)

    private let name: String
    private let pattern: NamePattern
    private let isFleet: Bool
    private var isFound = false
    private var others: [String] = []
    private var hasMore = false
    /// The moment of the notice that no device of a fleet matches, unless it was given or one does.
    private(set) var deadline: Moment?

    /// Creates the receiver from its name or a pattern.
    init(_ name: String, isFleet: Bool = false) {
        self.name = name
        self.isFleet = isFleet
        pattern = NamePattern(name)
    }

    /// The error for a recording without the receiver, or `nil` if it has it or names none.
    var failure: LocationError? {
        isFleet || isFound || others.isEmpty ? nil : .deviceUnknown(path: name, known: others)
    }

    /// Processes an event of the session.
    mutating func process(_ update: LocationUpdate) {
        guard !isFound, let device = update.event.device else { return }
        if pattern.matches(device) {
            isFound = true
            deadline = nil
        } else if !others.contains(device) {
            if isFleet, others.isEmpty { deadline = update.moment.advanced(by: Self.grace) }
            if others.count < Self.limit { others.append(device) } else { hasMore = true }
        }
    }

    /// Returns the notice that is due at the deadline.
    mutating func expire() -> Notice {
        deadline = nil
        let names = EnglishList.and(hasMore ? others + ["others"] : others)
        return .message("no device so far matches --device \(name); there \(others.count > 1 ? "are" : "is") \(names)")
    }
}

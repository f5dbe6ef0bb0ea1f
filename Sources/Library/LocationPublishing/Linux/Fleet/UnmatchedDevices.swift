import LocationCore

/// The devices of a fleet that a pattern does not match, which are named if no device matches it.
///
/// A device can report at any time, so that the absence of a match is a notice and no error.
struct UnmatchedDevices {
    /// The number of devices that the notice names.
    private static let limit = 3
    /// The time from the first device within which the others are expected.
    private static let grace = Duration.seconds(5)

    private let pattern: String
    private var names: [String] = []
    private var hasMore = false
    private(set) var deadline: Moment?

    init(_ pattern: String) { self.pattern = pattern }

    mutating func note(_ name: String, at moment: Moment) {
        guard !names.contains(name) else { return }
        if names.isEmpty { deadline = moment.advanced(by: Self.grace) }
        if names.count < Self.limit { names.append(name) } else { hasMore = true }
    }

    /// The notice that is due at the deadline.
    var notice: Notice {
        let words = (hasMore ? names + ["others"] : names).joined(separator: ", ")
        return Notice("no device so far matches \(pattern); seen were \(words)")
    }
}

/// A search for one position that is good enough, with the best rejected positions; it has no clock.
struct PositionSearch: Sendable {
    /// The age from which on a position of a machine with a name is too old, unless the request limits the age.
    static let remoteAge = Duration.seconds(600)

    private let accuracy: Double?
    private let fix: FixKind
    private var maxAge: Duration?
    private let admitsUnknownAge: Bool
    /// Whether a position that is good enough has come.
    private(set) var isSatisfied = false
    var hasReports = false
    /// The last report of a receiver about its search for a fix.
    private var lastSearch: SearchReason?
    private var tooCoarse: Location?
    private var tooOld: Location?
    private var tooFlat: Location?

    /// Creates a search for a position that meets the criteria of a request.
    init(_ request: LocationRequest) {
        accuracy = request.accuracy
        fix = request.fix ?? .twoD
        maxAge = request.maxAge
        admitsUnknownAge = request.maxAge == nil
    }

    /// Returns the error for a timeout or the end of the session, with the reason why no position was good enough.
    func shortfall(after time: Duration, in state: LocationState) -> LocationError {
        if let best = tooCoarse, let accuracy { return .noFix(.tooCoarse(best: best, wanted: accuracy)) }
        if let best = tooOld, let maxAge { return .noFix(.tooOld(best: best, wanted: maxAge)) }
        if let best = tooFlat { return .noFix(.tooFlat(best: best, wanted: fix)) }
        switch state {
        case .error(let error): return error
        case .searching(let reason) where reason.explains: return .noFix(.noPosition(after: time, reason: reason))
        // The reports say more than that a session has begun.
        case .searching where hasReports:
            let reason = lastSearch ?? .noFix(seen: nil, used: nil, best: nil)
            return .noFix(.noPosition(after: time, reason: reason))
        case .searching: return .noFix(.nothingHeard(after: time))
        case .found(let location): return .noFix(.tooFlat(best: location, wanted: fix))
        }
    }

    mutating func note(_ sky: SkyView) {
        hasReports = true
        // Without a report of the position, the satellites alone tell how far the search is.
        if !isSatisfied, let seen = sky.seen { lastSearch = .noFix(seen: seen, used: sky.used, best: nil) }
    }

    mutating func note(_ reason: SearchReason) {
        guard !isSatisfied, case .noFix = reason else { return }
        hasReports = true
        lastSearch = reason
    }

    /// Judges a position, until one was good enough.
    mutating func process(_ location: Location, _ standing: TrackedUpdate.Standing, of subject: String?) {
        guard !isSatisfied else { return }
        hasReports = true
        if subject != nil { maxAge = maxAge ?? Self.remoteAge }
        switch judge(location, standing) {
        case .tooFlat: tooFlat = location
        case .tooOld: tooOld = location
        case .tooCoarse:
            let best = tooCoarse?.horizontalAccuracy ?? .infinity
            if tooCoarse == nil || location.horizontalAccuracy ?? .infinity < best { tooCoarse = location }
        case .good: isSatisfied = true
        case nil: break
        }
    }

    private enum Judgment { case good, tooFlat, tooOld, tooCoarse }

    func accepts(_ location: Location, _ standing: TrackedUpdate.Standing) -> Bool {
        judge(location, standing) == .good
    }

    /// Returns the judgment of a position, or `nil` if the search does not concern it.
    private func judge(_ location: Location, _ standing: TrackedUpdate.Standing) -> Judgment? {
        guard [.current, .other, .withheld, .late].contains(standing), !location.isLate else { return nil }
        if location.fix < fix { return .tooFlat }
        if let maxAge, location.ageWhenReceived.map({ $0 > maxAge }) ?? !admitsUnknownAge { return .tooOld }
        if let accuracy, location.horizontalAccuracy.map({ $0 > accuracy }) ?? true { return .tooCoarse }
        return [.withheld, .late].contains(standing) ? nil : .good
    }
}

extension SearchReason {
    fileprivate var explains: Bool {
        switch self {
        case .starting, .connected: false
        case .connecting, .unanswered, .noDevice, .noFix, .unsuitable, .deviceLost, .deviceUnopenable, .deviceSilent,
            .deviceBabbling, .silent:
            true
        }
    }
}

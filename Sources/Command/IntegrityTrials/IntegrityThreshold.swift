import LocationCore
import GPSDProtocol

/// A threshold of the rules of integrity, with the range in which its value is searched.
struct IntegrityThreshold: Sendable {
    /// The name of its variable in `IntegrityRules`.
    let name: String
    /// The rule that it belongs to.
    let reason: IntegrityReasons
    /// The most sensitive value of the search, and the least.
    let sensitive: Double
    let insensitive: Double
    /// The factor between the usual value and the one from which on honest receivers are quiet, at least.
    let margin: Double
    /// The value of the rules.
    let usual: Double
    let set: @Sendable (inout IntegrityRules, Double) -> Void

    private init(
        _ name: String, _ reason: IntegrityReasons, usual: Double, _ range: (Double, Double), margin: Double,
        _ set: @escaping @Sendable (inout IntegrityRules, Double) -> Void
    ) {
        (self.name, self.reason, self.usual, self.margin, self.set) = (name, reason, usual, margin, set)
        (sensitive, insensitive) = range
    }

    private init(
        _ name: String, _ reason: IntegrityReasons, _ place: any WritableKeyPath<IntegrityRules, Double> & Sendable,
        from sensitive: Double = 0, to insensitive: Double = 1000, margin: Double
    ) {
        self.init(
            name, reason, usual: IntegrityRules()[keyPath: place], (sensitive, insensitive), margin: margin
        ) { $0[keyPath: place] = $1 }
    }

    private init(
        _ name: String, _ reason: IntegrityReasons, _ place: any WritableKeyPath<IntegrityRules, Int> & Sendable,
        margin: Double
    ) {
        self.init(name, reason, usual: Double(IntegrityRules()[keyPath: place]), (0, 1000), margin: margin) {
            $0[keyPath: place] = Int(clamping: $1)
        }
    }

    /// All thresholds that are variables of the rules.
    static let all = [
        Self("jump", .jump, \.jump, margin: 3), Self("teleport", .teleport, \.teleport, margin: 4),
        Self("frozen", .frozen, \.frozen, from: 10, to: 0, margin: 3.9),
        // A leap second is 1 s.
        Self("leap", .clock, \.leap, margin: 1.2),
        Self("fall", .signal, \.fall, to: 50, margin: 3), Self("slowFall", .signal, \.slowFall, to: 50, margin: 15),
        Self("spread", .uniform, \.spread, from: 40, to: 0, margin: 6),
        Self("imbalance", .constellation, \.imbalance, to: 50, margin: 1.4),
        // No share is below zero.
        Self("remaining", .sky, \.remaining, from: 1, to: -1, margin: 2.2),
        Self("climb", .height, \.climb, margin: 20), Self("height", .height, \.height, margin: 1.8),
        Self("interference", .receiver, \.interference, margin: 1.2),
        Self("interferenceRise", .receiver, \.interferenceRise, margin: 1.2),
        Self("apart", .disagreement, \.apart, to: 10_000, margin: 1.4),
    ]

    /// Returns the rules with another value of this threshold.
    func rules(at value: Double) -> IntegrityRules {
        var rules = IntegrityRules()
        set(&rules, value)
        return rules
    }

    /// The result of a search.
    struct Limit {
        /// The most sensitive value at which no session is suspect, or `nil` if none is at any value.
        var quiet: Double?
        /// The names of the sessions that are suspect at the most sensitive value.
        var suspects: [String]
        /// Those of the sessions that are suspect even at the least sensitive one.
        var always: [String]
    }

    /// Searches the most sensitive value at which none of some sessions is suspect.
    func limit(of sessions: [JudgedSession]) -> Limit {
        func suspects(_ sessions: [JudgedSession], at value: Double) -> [JudgedSession] {
            let rules = rules(at: value)
            return sessions.filter { $0.isSuspect(under: rules, because: reason) }
        }
        // A session that is quiet at the most sensitive value is so at all others.
        let touched = suspects(sessions, at: sensitive)
        var limit = Limit(
            suspects: touched.map(\.name), always: suspects(touched, at: insensitive).map(\.name))
        guard !touched.isEmpty, limit.always.isEmpty else { return limit }
        var (loud, quiet) = (sensitive, insensitive)
        for _ in 0..<12 {
            let middle = (loud + quiet) / 2
            if suspects(touched, at: middle).isEmpty { quiet = middle } else { loud = middle }
        }
        limit.quiet = quiet
        return limit
    }

    /// Returns the factor between the usual value and another one, which is above 1 if the usual one is less sensitive.
    func factor(over quiet: Double) -> Double { sensitive < insensitive ? usual / quiet : quiet / usual }

    /// Returns whether an attack of a seed is noticed only because of the usual value: the least sensitive one misses it.
    func decides(_ attack: IntegrityAttack, seed: Int) -> Bool {
        guard attack.reason == reason, case .noticed = attack.outcome(seed: seed) else { return false }
        return attack.outcome(seed: seed, rules: rules(at: insensitive)) == .missed
    }
}

/// The reports of a receiver that is not attacked, which rules judge.
struct JudgedSession: Sendable {
    let name: String
    let updates: [LocationUpdate]
    /// The reasons that are right in it.
    let observed: IntegrityReasons

    /// Returns whether a rule suspects the receiver without a cause.
    func isSuspect(under rules: IntegrityRules, because reason: IntegrityReasons) -> Bool {
        guard !observed.contains(reason) else { return false }
        var monitor = IntegrityMonitor(rules: rules)
        return updates.contains { monitor.process($0)?.reasons.contains(reason) ?? false }
    }

    /// The honest journeys, with one position a second.
    static var journeys: [JudgedSession] {
        HonestJourney.all.map { JudgedSession(name: $0.summary, updates: $0.updates(seed: 0), observed: []) }
    }

    /// Reads a recording.
    init(recording path: String) async throws {
        name = path.split(separator: "/").suffix(2).joined(separator: "/")
        observed = Self.observed.first { path.hasSuffix("/\($0.key).json") }?.value ?? []
        var updates: [LocationUpdate] = []
        for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
            switch update.event {
            case .location, .satellites, .receiver: updates.append(update)
            default: continue
            }
        }
        self.updates = updates
    }

    private init(name: String, updates: [LocationUpdate], observed: IntegrityReasons) {
        (self.name, self.updates, self.observed) = (name, updates, observed)
    }

    /// The recordings in which the observation of a rule is right, by their names.
    static let observed: [String: IntegrityReasons] = [
        // A receiver with dead reckoning, whose signals fall by 22 dB within seconds.
        "trimble-smtx-dr": .signal,
        // A receiver whose date is 1,024 weeks after that of its recording.
        "garmin17n": .rollover,
    ]
}

/// The behavior required of every location provider, as checks that are independent of a test framework.
///
/// In Swift Testing, pass the checks as the arguments of one test:
///
/// ```swift
/// private let conformance = LocationProviderConformance("the scripted source") {
///     let clock = ManualClock()
///     let source = ScriptedLocationSource(clock: clock)
///     return ConformanceSubject(
///         source, emit: { source.forceLocation(Location(coordinate: .init(latitude: 52.5, longitude: 13.4))) },
///         end: { source.end() }, runningSessions: { source.runningSessions }, clock: clock)
/// }
///
/// @Test(arguments: conformance.checks(leavingOut: [.failureIsThrown]))
/// func `is a proper provider`(check: LocationProviderConformance.Check) async throws { try await check.run() }
/// ```
///
/// In XCTest, run them in a loop. Each check creates its own subject. A check that cannot be made because another rule is broken
/// fails and names that rule.
public struct LocationProviderConformance: Sendable {
    /// A rule that a provider must follow.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A session starts at the first call of `next()`, not earlier; needs `runningSessions`.
        case startsWhenIterated
        /// Events reach the task that iterates.
        case tells
        /// Moments never go back and never precede the start of the session; needs three events of one session.
        case momentsInOrder
        /// Cancelling the waiting task ends the iteration, within a tenth of the patience.
        case cancellationEndsWait
        /// Cancelling also ends the session and releases its resources; needs `runningSessions`.
        case cancellationStopsSession
        /// Dropping the iterator ends the session; needs `runningSessions`.
        case droppingStopsSession
        /// Each iterator has a separate session and receives every event; needs `runningSessions`.
        case sessionsAreSeparate
        /// Ending one session leaves the others running; needs `runningSessions`.
        case sessionsEndSeparately
        /// An ended session emits nothing; needs `end`.
        case nothingAfterEnd
        /// An error that ends a session is thrown unchanged and once, and nothing follows it; needs `fail`.
        case failureIsThrown
        /// `authorization()` is answered, by an `authorization` event or a position, and the session that asks ends.
        case answersAuthorization
        /// A limit, such as that of `current(within:)`, is measured by the session's clock, and not in real time; needs `clock`.
        case measuresLimits
        /// A turn of a source of this package does not wait, by at most 10 ms: all sessions of a program have one thread. Sessions that
        /// fill a `LocationMailbox` have no source, and follow the rule.
        case turnsNeverWait

        package var sentence: String {
            switch self {
            case .startsWhenIterated: "a session starts at the first next(), not earlier"
            case .tells: "events reach the task that iterates"
            case .momentsInOrder: "moments never go back"
            case .cancellationEndsWait: "cancelling the waiting task ends the iteration at once"
            case .cancellationStopsSession: "cancelling ends the session and releases its resources"
            case .droppingStopsSession: "dropping the iterator ends the session"
            case .sessionsAreSeparate: "each iterator has a separate session and receives every event"
            case .sessionsEndSeparately: "ending one session leaves the others running"
            case .nothingAfterEnd: "an ended session emits nothing"
            case .failureIsThrown: "an error that ends a session is thrown once, and nothing follows it"
            case .answersAuthorization: "authorization() is answered, and its session ends"
            case .measuresLimits: "a limit is measured by the session's clock"
            case .turnsNeverWait: "a turn of its source never waits"
            }
        }
    }

    /// A check of one rule for one provider.
    public struct Check: Sendable, CustomStringConvertible {
        package let rule: Rule
        /// The provider's name and the rule, as a sentence.
        public let name: String
        fileprivate let body: @Sendable () async throws -> Void

        /// Runs the check and throws an `ExpectationFailure` if the rule is broken, or the error of a closure of the subject.
        ///
        /// The failure reports the place of this call.
        public func run(fileID: String = #fileID, line: Int = #line) async throws {
            do {
                try await body()
            } catch var failure as ExpectationFailure where failure.isOfRule {
                failure.callSite = CallSite(fileID: fileID, line: line)
                throw failure
            }
        }

        /// The name.
        public var description: String { name }
    }

    private let name: String
    private let waits: ConformanceWaits
    private let make: @Sendable () async throws -> ConformanceSubject

    /// Creates the checks of a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in the names of the checks.
    ///   - patience: The real time to wait for an expected event. Only a provider that breaks a rule takes that long, and only once:
    ///     after the first failure the other checks wait for a fiftieth of it.
    ///   - make: Creates a subject; called for each check.
    public init(
        _ name: String, patience: Duration = .seconds(10),
        make: @escaping @Sendable () async throws -> ConformanceSubject
    ) {
        self.name = name
        waits = ConformanceWaits(patience)
        self.make = make
    }

    /// A check for each rule.
    public var checks: [Check] { checks() }

    /// Returns a check for each rule except the given ones, for which the provider has no closure.
    public func checks(leavingOut rules: Set<Rule> = []) -> [Check] {
        Rule.allCases.filter { !rules.contains($0) }.map { rule in
            Check(rule: rule, name: "\(name): \(rule.sentence)") { [self] in
                try await ConformanceRun(rule: rule, subject: try await make(), waits: waits).run()
            }
        }
    }
}

extension ExpectationFailure {
    fileprivate var isOfRule: Bool { if case .rule = reason { true } else { false } }
}

/// What every location provider must do, as checks of no test framework.
///
/// In Swift Testing the checks are the arguments of one test:
///
/// ```swift
/// private let conformance = LocationProviderConformance("the scripted source") {
///     let source = ScriptedLocationSource()
///     return ConformanceSubject(
///         source, tell: { source.forceLocation(Location(coordinate: .init(latitude: 52.5, longitude: 13.4))) },
///         end: { source.end() }, runningSessions: { source.runningSessions })
/// }
///
/// @Test(arguments: conformance.checks(leavingOut: [.failureIsThrown]))
/// func `is a proper provider`(check: LocationProviderConformance.Check) async throws { try await check.run() }
/// ```
///
/// In XCTest run them in a loop. Each check makes a subject of its own.
public struct LocationProviderConformance: Sendable {
    /// What a provider must do.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// Nothing begins before the first `next()`.
        case startsWhenIterated
        /// What is told reaches whoever iterates.
        case tells
        /// Moments never go back, and never lie before the session's beginning.
        case momentsInOrder
        /// Cancelling the task that waits ends the iteration within 100 ms.
        case cancellationEndsWait
        /// Cancelling ends the session too, and what it holds.
        case cancellationStopsSession
        /// Dropping the iterator ends the session.
        case droppingStopsSession
        /// Each iterator is a session of its own: each gets every event.
        case sessionsAreSeparate
        /// Ending one session leaves the other running.
        case sessionsEndSeparately
        /// After the end nothing comes any more.
        case nothingAfterEnd
        /// What ends a session early is thrown as it is, once, and nothing comes after it.
        case failureIsThrown

        /// The rule as a sentence.
        public var sentence: String {
            switch self {
            case .startsWhenIterated: "nothing begins before the first next()"
            case .tells: "what is told reaches whoever iterates"
            case .momentsInOrder: "moments never go back"
            case .cancellationEndsWait: "cancelling the task that waits ends the iteration within 100 ms"
            case .cancellationStopsSession: "cancelling ends the session and what it holds"
            case .droppingStopsSession: "dropping the iterator ends the session"
            case .sessionsAreSeparate: "each iterator is a session of its own and gets every event"
            case .sessionsEndSeparately: "ending one session leaves the other running"
            case .nothingAfterEnd: "after the end nothing comes any more"
            case .failureIsThrown: "what ends a session early is thrown once, and nothing comes after it"
            }
        }
    }

    /// One rule to be checked for one provider.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule.
        public let rule: Rule
        /// Whose check it is and what it checks, as a sentence.
        public let name: String
        fileprivate let body: @Sendable () async throws -> Void

        /// Checks the rule; throws what is wrong.
        public func run() async throws { try await body() }

        /// The name.
        public var description: String { name }
    }

    private let name: String
    private let patience: Duration
    private let make: @Sendable () async throws -> ConformanceSubject

    /// The checks of a provider.
    ///
    /// - Parameters:
    ///   - name: what the provider is called in the checks' names.
    ///   - patience: how long to wait, in real time, for what must happen; only a provider that breaks a rule takes so long.
    ///   - make: makes a subject; called for each check.
    public init(
        _ name: String, patience: Duration = .seconds(10),
        make: @escaping @Sendable () async throws -> ConformanceSubject
    ) {
        self.name = name
        self.patience = patience
        self.make = make
    }

    /// A check for each rule.
    public var checks: [Check] { checks() }

    /// A check for each rule but those for which the provider has no string to pull.
    public func checks(leavingOut rules: Set<Rule> = []) -> [Check] {
        Rule.allCases.filter { !rules.contains($0) }.map { rule in
            Check(rule: rule, name: "\(name): \(rule.sentence)") { [self] in
                try await ConformanceRun(rule, on: try await make(), patience: patience).run()
            }
        }
    }
}

/// A provider breaks a rule, or cannot be checked for it.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public var rule: LocationProviderConformance.Rule
    /// What happened instead.
    public var observation: String

    /// The rule and what happened instead.
    public var description: String { "\(rule.sentence): but \(observation)" }
}

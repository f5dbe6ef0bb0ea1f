import Glibc
import LocationCore
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@Suite(.serialized, .alone, .onlyInMakeTest) struct LocationProviderConformanceTests {
    typealias Rule = LocationProviderConformance.Rule

    private static func subject(_ provider: BrokenProvider) -> ConformanceSubject {
        ConformanceSubject(
            provider, emit: { provider.emit() }, end: { provider.end() }, fail: { provider.fail() },
            runningSessions: { provider.runningSessions }, clock: provider.clock)
    }

    /// Returns a subject whose events are those of a scripted source.
    private static func subject(
        _ provider: some LocationProvider, of source: ScriptedLocationSource, clock: ManualClock,
        before: @escaping @Sendable () -> Void = {}
    ) -> ConformanceSubject {
        ConformanceSubject(
            provider,
            emit: {
                before()
                source.forceLocation(Sample.here)
            },
            end: { source.end() },
            fail: {
                source.end(throwing: Sample.lost)
                return Sample.lost
            },
            runningSessions: { source.runningSessions }, clock: clock)
    }

    static let sound = LocationProviderConformance("a sound provider") { subject(BrokenProvider(.none)) }
    static let scripted = LocationProviderConformance("the scripted source") {
        let clock = ManualClock()
        let source = ScriptedLocationSource(clock: clock)
        return subject(source, of: source, clock: clock) { clock.advance(by: .seconds(1)) }
    }
    static let filtered = LocationProviderConformance("a filtered source") {
        let clock = ManualClock()
        let source = ScriptedLocationSource(clock: clock)
        return subject(source.filtered(by: LocationRequest(accuracy: 10)), of: source, clock: clock)
    }
    static let spied = LocationProviderConformance("the spy") {
        let clock = ManualClock()
        let source = ScriptedLocationSource(clock: clock)
        return subject(LocationProviderSpy(source), of: source, clock: clock)
    }

    @Test(arguments: [sound, scripted, filtered, spied].flatMap(\.checks))
    func `a conforming provider passes`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }

    /// A short limit, because only a broken provider makes a check wait that long in real time.
    private static func broken(
        _ fault: BrokenProvider.Fault, patience: Duration = .milliseconds(50)
    ) -> LocationProviderConformance {
        LocationProviderConformance("a broken provider", patience: patience) {
            subject(BrokenProvider(fault))
        }
    }

    /// Runs the check of one rule, and returns its failure.
    private func failure(of rule: Rule, by conformance: LocationProviderConformance) async throws -> ExpectationFailure
    {
        let check = try #require(conformance.checks.first { $0.rule == rule })
        return try await expectFailure { try await check.run() }
    }

    /// Runs each check, and returns what those that fail have observed.
    private func observations(of conformance: LocationProviderConformance) async throws -> [Rule: String] {
        var observations: [Rule: String] = [:]
        for check in conformance.checks {
            do { try await check.run() } catch let failure as ExpectationFailure {
                let broken = try #require(failure.broken)
                observations[broken.rule] = broken.observation
            }
        }
        return observations
    }

    @Test(arguments: [
        (BrokenProvider.Fault.ignoresCancellation, Rule.cancellationEndsWait),
        (.ignoresCancellation, .cancellationStopsSession),
        (.throwsWhenCancelled, .cancellationStopsSession),
        (.keepsSessionWhenCancelled, .cancellationStopsSession),
        (.keepsSessionWhenDropped, .droppingStopsSession),
        (.goesOnAfterEnd, .nothingAfterEnd),
        (.throwsInsteadOfEnding, .nothingAfterEnd),
        (.endsInsteadOfThrowing, .failureIsThrown),
        (.goesBackInTime, .momentsInOrder),
        (.startsEagerly, .startsWhenIterated),
        (.startsInATask, .startsWhenIterated),
        (.measuresInRealTime, .measuresLimits),
        (.sharesItsSession, .sessionsAreSeparate),
        (.stopsAllTogether, .sessionsEndSeparately),
        (.tellsNothing, .tells),
        (.ignoresAuthorization, .answersAuthorization),
        (.tellsNothing, .answersAuthorization),
    ])
    func `each fault is caught by the check of its rule`(fault: BrokenProvider.Fault, rule: Rule) async throws {
        let failure = try await failure(of: rule, by: Self.broken(fault))
        #expect(failure.broken?.rule == rule)
        #expect(failure.message.hasPrefix(rule.sentence + ", but "))
    }

    @Test func `a session that is not freed is one broken rule, and the cause of others`() async throws {
        var failures = try await observations(of: Self.broken(.keepsSessionWhenCancelled, patience: .seconds(2)))
        let leak = failures.removeValue(forKey: .cancellationStopsSession)
        #expect(leak?.hasPrefix("1 sessions instead of 0 run") == true)
        #expect(Set(failures.keys) == [.droppingStopsSession, .sessionsEndSeparately, .answersAuthorization])
        let cause = Rule.cancellationStopsSession.sentence
        for observation in failures.values {
            #expect(observation.hasPrefix("it was not checked, because another rule is broken, \(cause): "))
        }
    }

    @Test(arguments: [BrokenProvider.Fault.tellsNothing, .keepsSessionWhenCancelled, .ignoresCancellation])
    func `only the first check that a provider fails waits for the whole patience`(
        fault: BrokenProvider.Fault
    ) async throws {
        let limits = try await observations(of: Self.broken(fault, patience: .milliseconds(500))).values
            .compactMap { $0.firstMatch(of: /[0-9.]+ seconds/)?.output }
        #expect(limits.count > 1 && limits.count { $0 == "0.5 seconds" } <= 1, "\(limits)")
    }

    @Test func `a silent provider breaks one rule, and the others name it`() async throws {
        let cause = "it was not checked, because another rule is broken, \(Rule.tells.sentence): "
        let all = try await observations(of: Self.broken(.tellsNothing, patience: .seconds(2)))
        let others = all.filter { $0.value.hasPrefix(cause) }.keys
        #expect(
            Set(others)
                == Set(Rule.allCases).subtracting([
                    .startsWhenIterated, .tells, .answersAuthorization, .measuresLimits, .turnsNeverWait,
                ]))
    }

    @Test func `the check of separate sessions names a mailbox that two sessions share`() async throws {
        let conformance = LocationProviderConformance("a provider with one mailbox", patience: .seconds(1)) {
            let mailbox = LocationMailbox(clock: ManualClock().sessionClock())
            return ConformanceSubject(
                SharingProvider(mailbox: mailbox), emit: { mailbox.put(.location(Sample.here)) },
                runningSessions: { 1 })
        }
        let failure = try await failure(of: .sessionsAreSeparate, by: conformance)
        #expect(failure.message.contains("two sessions share one LocationMailbox"))
    }

    private struct SharingProvider: LocationProvider {
        let mailbox: LocationMailbox

        func updates(for request: LocationRequest) -> LocationUpdates { LocationUpdates(for: request) { mailbox } }
    }

    @Test func `events that are neither a position nor the authorization do not answer it`() async throws {
        let conformance = LocationProviderConformance("a provider that only searches", patience: .milliseconds(50)) {
            let source = ScriptedLocationSource()
            source.forceAuthorization(.notDetermined)
            return ConformanceSubject(
                source, emit: { source.forceSearching(.noDevice) }, runningSessions: { source.runningSessions })
        }
        let failure = try await failure(of: .answersAuthorization, by: conformance)
        #expect(
            failure.message
                == "authorization() is answered, and its session ends, but no event answered it within 0.05 seconds")
    }

    @Test func `each rule has a check, which names its provider and the rule`() {
        let names = Self.sound.checks.map(\.name)
        #expect(Set(names).count == Rule.allCases.count)
        #expect(names.first == "a sound provider: a session starts at the first next(), not earlier")
        #expect(Self.sound.checks.map(\.description) == names)
    }

    @Test(arguments: [PausingSource.Call.turn, .beginning, .end])
    func `a source that waits in a call breaks a rule`(call: PausingSource.Call) async throws {
        let conformance = LocationProviderConformance("a source that waits") {
            ConformanceSubject(PausingProvider(call: call) { usleep(11_000) }, emit: {})
        }
        let failure = try await failure(of: .turnsNeverWait, by: conformance)
        let name = [.turn: "a turn", .beginning: "the beginning of the source", .end: "the end of the source"][call]
        #expect(failure.broken?.observation.hasPrefix("\(try #require(name)) waited for ") == true, "\(failure)")
        #expect(failure.message.hasSuffix(" seconds in each of 5 attempts"))
    }

    @Test func `a source that gives nothing cannot be checked for waits`() async throws {
        let conformance = LocationProviderConformance("a source that ends") {
            ConformanceSubject(PausingProvider(call: .none) {}, emit: {})
        }
        let failure = try await failure(of: .turnsNeverWait, by: conformance)
        #expect(failure.broken?.observation == "it was not checked, because its source gave no event")
    }

    @Test func `a source that computes for long does not wait`() async throws {
        let conformance = LocationProviderConformance("a slow source") {
            ConformanceSubject(
                PausingProvider(call: .turn) {
                    var (spent, sum) = (Duration.zero, 0)
                    while spent < .milliseconds(20) { spent += threadTime { sum &+= (0..<1000).reduce(0, ^) } }
                }, emit: {})
        }
        for check in conformance.checks where check.rule == .turnsNeverWait { try await check.run() }
    }

    @Test func `a finite source that has too few events for the order of moments says so`() async throws {
        let conformance = LocationProviderConformance("a source of two events", patience: .seconds(1)) {
            let source = ScriptedLocationSource(clock: ManualClock())
            let count = Lock(0)
            return ConformanceSubject(
                source,
                emit: {
                    source.forceLocation(Sample.here)
                    if count.withLock({
                        $0 += 1; return $0
                    }) == 2 {
                        source.end()
                    }
                })
        }
        let failure = try await failure(of: .momentsInOrder, by: conformance)
        #expect(failure.message.hasSuffix("the session ended after 2 events, and the check needs 3"))
    }

    @Test(arguments: [Rule.startsWhenIterated, .nothingAfterEnd, .failureIsThrown, .measuresLimits])
    func `a rule without its closure fails and names the closure`(rule: Rule) async throws {
        let conformance = LocationProviderConformance("a provider without strings") {
            let source = ScriptedLocationSource()
            return ConformanceSubject(source, emit: { source.forceLocation(Sample.here) })
        }
        let failure = try await failure(of: rule, by: conformance)
        #expect(failure.message.contains("leave the rule out by `checks(leavingOut: [.\(rule)])`"))
        #expect(!conformance.checks(leavingOut: [rule]).map(\.rule).contains(rule))
    }

    @Test func `events can be checked without counting sessions`() async throws {
        let conformance = LocationProviderConformance("a provider without a count") {
            let source = ScriptedLocationSource()
            return ConformanceSubject(source, emit: { source.forceLocation(Sample.here) }, end: { source.end() })
        }
        for check in conformance.checks where [.tells, .nothingAfterEnd, .momentsInOrder].contains(check.rule) {
            try await check.run()
        }
    }

    @Test func `no check has a subject emit when none of its sessions is left`() async throws {
        let log = EventLog<String>()
        let conformance = LocationProviderConformance("a provider that is watched") {
            let clock = ManualClock()
            let source = ScriptedLocationSource(clock: clock)
            return Self.subject(source, of: source, clock: clock) {
                if source.runningSessions == 0 { log.append("emitted without a session") }
            }
        }
        for check in conformance.checks { try await check.run() }
        #expect(log.events == [])
    }

    @Test(arguments: [Rule.tells, .momentsInOrder, .nothingAfterEnd])
    func `a wait that fails within emit is reported at its own line`(rule: Rule) async throws {
        let line = #line + 6
        let conformance = LocationProviderConformance("a provider whose peer does not answer") {
            let source = ScriptedLocationSource()
            return ConformanceSubject(
                source,
                emit: {
                    try await EventLog<Int>().wait(for: "the peer", within: .zero) { !$0.isEmpty }
                },
                end: { source.end() }, runningSessions: { source.runningSessions })
        }
        let failure = try await failure(of: rule, by: conformance)
        #expect(failure.wait?.waitedFor == "the peer" && failure.callSite == CallSite(line: line))
    }
}

import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import IntegrityTrials

/// The thresholds of integrity over the recordings of receivers, honest journeys and attacks.
///
/// For each threshold the most sensitive value is searched at which its rule suspects none of the receivers.
/// `locwatch-dev integrity thresholds` prints the values, which the article about integrity has.
@Suite(.onlyInMakeTest) struct IntegrityThresholdTests {
    /// All sessions, and the names of those that every machine has.
    private static let sessions = Task {
        var sessions = JudgedSession.journeys
        var own = Set(sessions.map(\.name))
        for recording in SampleRecording.all {
            let session = try await JudgedSession(recording: recording.path)
            sessions.append(session)
            if recording.isFixture { own.insert(session.name) }
        }
        return (sessions, own)
    }

    @Test(arguments: SampleRecording.all)
    func `no receiver is in alarm, and none is suspect without a cause`(session: SampleRecording) async throws {
        let observed = try await JudgedSession(recording: session.path).observed
        var found = IntegrityReasons()
        for next in try await ReplayProvider(.path(session.path), pace: .max).allTracked() {
            guard case .integrity(let change) = next else { continue }
            #expect(change.to < .alarm, "\(change.message)")
            found.formUnion(change.reasons)
        }
        #expect(found == observed)
    }

    @Test func `every observation that is right has its recording here`() {
        let names = SampleRecording.all.filter(\.isFixture).map(\.path)
        for name in JudgedSession.observed.keys { #expect(names.contains(SampleRecording.receiver(name))) }
    }

    @Test func `every variable of the rules is in the list of thresholds`() {
        let variables = Mirror(reflecting: IntegrityRules()).children.compactMap(\.label)
        #expect(variables.sorted() == IntegrityThreshold.all.map(\.name).sorted())
    }

    @Test(arguments: IntegrityThreshold.all.indices)
    func `each threshold decides about an attack, and is beyond the value at which honest receivers are suspect`(
        index: Int
    ) async throws {
        let threshold = IntegrityThreshold.all[index]
        let (sessions, own) = try await Self.sessions.value
        let attacks = IntegrityAttack.all.filter { $0.reason == threshold.reason }
        let isNeeded = attacks.contains { attack in
            (0..<30).contains { threshold.decides(attack, seed: $0) }
        }
        #expect(isNeeded, "\(threshold.name): no attack is noticed because of it")

        let limit = threshold.limit(of: sessions)
        // Those of this package alone are enough to touch it.
        let touched = limit.suspects.filter(own.contains)
        #expect(touched != [], "\(threshold.name): no honest receiver is suspect at any value")
        #expect(limit.always == [], "\(threshold.name)")
        let quiet = try #require(limit.quiet)
        #expect(threshold.factor(over: quiet) >= threshold.margin, "\(threshold.name): quiet from \(quiet) on")
    }
}

import LocationCore
import TestSupport
import Testing

@testable import IntegrityTrials

/// Generated attacks and honest journeys, with random places, noise, sizes and times.
///
/// `locwatch-dev integrity attacks 1000` prints the figures of them that the article about integrity has.
@Suite(.onlyInMakeTest) struct IntegrityAttackTests {
    @Test(arguments: IntegrityAttack.all.indices)
    func `most attacks are noticed, nothing before them, and the same ones at each rate of positions`(index: Int) {
        let attack = IntegrityAttack.all[index]
        func isNoticed(_ seed: Int, rate: Int = 1) -> Bool {
            switch attack.outcome(seed: seed, rate: rate) {
            case .noticed: return true
            case .missed: return false
            case .objectedBefore(let change):
                Issue.record("before \(attack.summary), seed \(seed), \(rate) Hz: \(change.message)")
                return false
            }
        }
        let noticed = (0..<30).map { isNoticed($0) }
        #expect(Double(noticed.count { $0 }) / 30 >= attack.share, "\(attack.summary)")
        for (seed, rate) in [(0, 10), (1, 5)] {
            #expect(isNoticed(seed, rate: rate) == noticed[seed], "\(attack.summary), seed \(seed), \(rate) Hz")
        }
    }

    @Test func `each rule has an attack that it must notice`() {
        let attacked = IntegrityAttack.all.reduce(into: IntegrityReasons()) { $0.formUnion($1.reason) }
        #expect(attacked.codes == IntegrityReasons.named.map(\.code))
    }

    @Test(arguments: HonestJourney.all.indices, [1, 5, 10])
    func `an honest journey is nominal`(index: Int, rate: Int) {
        let journey = HonestJourney.all[index]
        for seed in 0..<(rate == 1 ? 3 : 1) {
            #expect(journey.changes(seed: seed, rate: rate).isEmpty, "\(journey.summary), seed \(seed)")
        }
    }
}

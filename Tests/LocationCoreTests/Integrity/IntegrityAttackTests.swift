import LocationCore
import LocationTesting
import Testing

/// Generated attacks and honest journeys, with random places, noise, sizes and times.
///
/// `locwatch-dev integrity 1000` measures the same with more seeds, for the article about integrity.
@Suite struct IntegrityAttackTests {
    @Test(arguments: IntegrityAttack.all.indices)
    func `most attacks are noticed, nothing before them, and the same ones at each rate of positions`(index: Int) {
        let attack = IntegrityAttack.all[index]
        let outcomes = (0..<30).map { attack.outcome(seed: $0, rate: 1) }
        #expect(Double(outcomes.count(where: \.isNoticed)) / 30 >= attack.share, "\(attack.summary)")
        #expect(!outcomes.contains { if case .objectedEarly = $0 { true } else { false } }, "\(attack.summary)")
        for (seed, rate) in [(0, 10), (1, 5)] {
            let isNoticed = attack.outcome(seed: seed, rate: rate).isNoticed
            #expect(isNoticed == outcomes[seed].isNoticed, "\(attack.summary), seed \(seed), \(rate) Hz")
        }
    }

    @Test(arguments: HonestJourney.all.indices, [1, 5, 10])
    func `an honest journey is nominal`(index: Int, rate: Int) {
        let journey = HonestJourney.all[index]
        for seed in 0..<(rate == 1 ? 3 : 1) {
            #expect(journey.changes(seed: seed, rate: rate).isEmpty, "\(journey.summary), seed \(seed)")
        }
    }
}

extension IntegrityAttack.Outcome {
    fileprivate var isNoticed: Bool { if case .noticed = self { true } else { false } }
}

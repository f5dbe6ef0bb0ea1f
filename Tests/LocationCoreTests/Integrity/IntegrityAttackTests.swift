import Foundation
import LocationCore
import TestSupport
import Testing

/// Generated attacks and honest journeys, with random places, noise, sizes and times.
///
/// Set `LOCWATCH_SEEDS` to a number of them, to print the figures of the attacks that the article about integrity has, and
/// to make as many journeys.
@Suite(.onlyInMakeTest) struct IntegrityAttackTests {
    private let seeds = ProcessInfo.processInfo.environment["LOCWATCH_SEEDS"].flatMap { Int($0) }

    @Test(arguments: IntegrityAttack.all.indices)
    func `most attacks are noticed, nothing before them, and the same ones at each rate of positions`(index: Int) {
        let attack = IntegrityAttack.all[index]
        let delays = (0..<30).map { attack.delay(seed: $0, rate: 1) }
        #expect(Double(delays.count { $0 != nil }) / 30 >= attack.share, "\(attack.summary)")
        for (seed, rate) in [(0, 10), (1, 5)] {
            let isNoticed = attack.delay(seed: seed, rate: rate) != nil
            #expect(isNoticed == (delays[seed] != nil), "\(attack.summary), seed \(seed), \(rate) Hz")
        }
        guard let seeds else { return }
        for rate in [1, 5, 10] {
            let delays = (0..<seeds).compactMap { attack.delay(seed: $0, rate: rate) }.sorted()
            print("\(attack.reason.codes[0]), \(attack.summary), \(rate) Hz: \(delays.count) of \(seeds)")
            if let worst = delays.last { print("    after \(delays[delays.count / 2]) s, \(worst) s at most") }
        }
    }

    @Test(arguments: HonestJourney.all.indices, [1, 5, 10])
    func `an honest journey is nominal`(index: Int, rate: Int) {
        let journey = HonestJourney.all[index]
        for seed in 0..<(seeds ?? (rate == 1 ? 3 : 1)) {
            #expect(journey.changes(seed: seed, rate: rate).isEmpty, "\(journey.summary), seed \(seed)")
        }
    }
}

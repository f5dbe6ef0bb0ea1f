import Glibc
import LocationCore
import LocationTesting

/// Measures how many generated attacks the rules of integrity notice, and whether they object to honest journeys.
struct IntegrityCommand: DeveloperCommand {
    static let name = "integrity"
    static let operands = "SEEDS"
    static let summary = "measure the rules of integrity with generated attacks and honest journeys"

    private static let rates = [1, 5, 10]
    private let seeds: Int

    init?(_ operands: [String]) {
        guard operands.count == 1, let seeds = Int(operands[0]), seeds > 0 else { return nil }
        self.seeds = seeds
    }

    func run() throws {
        print(
            "| rule | attack | noticed at 1, 5 and 10 Hz | median delay | worst delay | before it |\n|---|---|---|---|---|---|"
        )
        for attack in IntegrityAttack.all { print(row(attack)) }
        print("\n| journey | suspect at 1, 5 and 10 Hz | alarms |\n|---|---|---|")
        for journey in HonestJourney.all { print(row(journey)) }
    }

    private func row(_ attack: IntegrityAttack) -> String {
        var (shares, medians, worst, early): ([String], [String], [String], Int) = ([], [], [], 0)
        for rate in Self.rates {
            var delays: [Double] = []
            for seed in 0..<seeds {
                switch attack.outcome(seed: seed, rate: rate) {
                case .noticed(let delay): delays.append(delay)
                case .objectedEarly: early += 1
                case .unnoticed: break
                }
            }
            delays.sort()
            shares.append(percent(delays.count))
            medians.append(delays.isEmpty ? "–" : "\(delays[delays.count / 2])")
            worst.append(delays.isEmpty ? "–" : "\(delays[delays.count - 1])")
        }
        func cell(_ values: [String]) -> String { values.joined(separator: ", ") }
        return
            "| \(attack.reason.codes[0]) | \(attack.summary) | \(cell(shares)) | \(cell(medians)) s | \(cell(worst)) s "
            + "| \(early) |"
    }

    private func row(_ journey: HonestJourney) -> String {
        var (suspects, alarms, reasons): ([String], Int, IntegrityReasons) = ([], 0, [])
        for rate in Self.rates {
            var count = 0
            for seed in 0..<seeds {
                let changes = journey.changes(seed: seed, rate: rate)
                if !changes.isEmpty { count += 1 }
                if changes.contains(where: { $0.to == .alarm }) { alarms += 1 }
                for change in changes { reasons.formUnion(change.reasons) }
            }
            suspects.append(percent(count))
        }
        let rules = reasons.isEmpty ? "" : " (\(reasons.codes.joined(separator: ", ")))"
        return "| \(journey.summary) | \(suspects.joined(separator: ", "))\(rules) | \(alarms) |"
    }

    private func percent(_ count: Int) -> String {
        let tenths = (count * 1000 + seeds / 2) / seeds
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

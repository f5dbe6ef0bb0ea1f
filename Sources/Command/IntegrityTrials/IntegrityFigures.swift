import LocationCore

/// The figures of the article about integrity.
package enum IntegrityFigures {
    /// Makes attacks and honest journeys with some seeds at 1, 5 and 10 positions a second.
    ///
    /// - Parameter word: A part of the summary of those to make, or the name of a rule; an empty one stands for all.
    package static func attacks(seeds: Int, _ word: String, write: (String) -> Void) {
        for attack in IntegrityAttack.all
        where word.isEmpty || attack.reason.codes[0] == word || attack.summary.contains(word) {
            for rate in [1, 5, 10] {
                var delays: [Double] = []
                for seed in 0..<seeds {
                    switch attack.outcome(seed: seed, rate: rate) {
                    case .noticed(let delay): delays.append(delay)
                    case .missed: break
                    case .objectedBefore(let change): write("    seed \(seed), before the attack: \(change.message)")
                    }
                }
                delays.sort()
                var line = "\(attack.reason.codes[0]), \(attack.summary), \(rate) Hz: \(delays.count) of \(seeds)"
                if let worst = delays.last { line += ", after \(delays[delays.count / 2]) s, \(worst) s at most" }
                write(line)
            }
        }
        for journey in HonestJourney.all where word.isEmpty || journey.summary.contains(word) {
            for rate in [1, 5, 10] {
                let suspect = (0..<seeds).count { !journey.changes(seed: $0, rate: rate).isEmpty }
                write("\(journey.summary), \(rate) Hz: \(suspect) of \(seeds) suspect")
            }
        }
    }

    /// Searches, for each threshold, the value from which on no receiver of some recordings and of the honest journeys is suspect.
    package static func thresholds(recordings: [String], write: (String) -> Void) async throws {
        var sessions = JudgedSession.journeys
        for path in recordings { sessions.append(try await JudgedSession(recording: path)) }
        for threshold in IntegrityThreshold.all {
            let limit = threshold.limit(of: sessions)
            let quiet =
                limit.quiet.map { "quiet from \($0) on, margin \(threshold.factor(over: $0))" } ?? "always quiet"
            write(
                "\(threshold.name) \(threshold.usual): \(quiet), \(limit.suspects.count) suspects at \(threshold.sensitive)"
            )
            for name in limit.suspects { write("    \(name)") }
            for name in limit.always { write("    always suspect: \(name)") }
        }
    }
}

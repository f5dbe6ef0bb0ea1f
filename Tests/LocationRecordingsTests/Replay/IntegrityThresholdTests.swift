import Foundation
import LocationCore
import LocationRecordings
import TestSupport
import Testing

/// The thresholds of integrity over the recordings of receivers.
///
/// For each threshold the most sensitive value is searched at which its rule suspects none of the receivers. Set
/// `LOCWATCH_THRESHOLDS` to print the values, which the article about integrity has.
@Suite struct IntegrityThresholdTests {
    struct Threshold: Sendable {
        let name: String
        let reason: IntegrityReasons
        /// The most sensitive value of the search, and the least.
        let range: (sensitive: Double, insensitive: Double)
        /// The factor between the found value and the usual one, at least.
        let margin: Double
        let usual: Double
        let set: @Sendable (inout IntegrityRules, Double) -> Void
    }

    private static let usual = IntegrityRules()

    /// The recordings in which the observation of a rule is right.
    private static let observed: [String: IntegrityReasons] = [
        // A receiver with dead reckoning, whose signals fall by 22 dB within seconds.
        "trimble-smtx-dr": .signal,
        // A receiver whose date is 1,024 weeks after that of its recording.
        "garmin17n": .rollover,
    ]

    static let thresholds = [
        Threshold(name: "jump", reason: .jump, range: (0, 1000), margin: 2, usual: usual.jump) { $0.jump = $1 },
        Threshold(name: "teleport", reason: .teleport, range: (0, 1000), margin: 2, usual: usual.teleport) {
            $0.teleport = $1
        },
        Threshold(name: "leap of the time", reason: .clock, range: (0, 1000), margin: 2, usual: usual.leap) {
            $0.leap = $1
        },
        Threshold(name: "fall of the signals", reason: .signal, range: (0, 50), margin: 3, usual: usual.fall) {
            $0.fall = $1
        },
        Threshold(name: "spread of the signals", reason: .uniform, range: (40, 0), margin: 6, usual: usual.spread) {
            $0.spread = $1
        },
        Threshold(name: "frozen share of the way", reason: .frozen, range: (10, 0), margin: 2, usual: usual.frozen) {
            $0.frozen = $1
        },
        Threshold(
            name: "imbalance of the systems", reason: .constellation, range: (0, 50), margin: 2, usual: usual.imbalance
        ) { $0.imbalance = $1 },
        Threshold(name: "remaining satellites", reason: .sky, range: (1, 0), margin: 2, usual: usual.remaining) {
            $0.remaining = $1
        },
        Threshold(name: "height", reason: .height, range: (0, 1000), margin: 2, usual: usual.height) { $0.height = $1 },
        Threshold(name: "climb", reason: .height, range: (0, 1000), margin: 2, usual: usual.climb) { $0.climb = $1 },
        Threshold(
            name: "interference", reason: .receiver, range: (0, 1000), margin: 2, usual: Double(usual.interference)
        ) { $0.interference = Int($1) },
        Threshold(
            name: "rise of the interference", reason: .receiver, range: (0, 1000), margin: 2,
            usual: Double(usual.interferenceRise)
        ) { $0.interferenceRise = Int($1) },
    ]

    private static func observed(in session: SampleRecording) -> IntegrityReasons {
        observed.first { session.path.split(separator: "/").last?.hasPrefix($0.key) == true }?.value ?? []
    }

    /// A recording, with the reason that it gives.
    private struct Session {
        let updates: [LocationUpdate]
        let observed: IntegrityReasons
    }

    /// Returns the updates of every recording.
    private func sessions() async throws -> [Session] {
        var sessions: [Session] = []
        for session in SampleRecording.all {
            let updates = try await ReplayProvider(.path(session.path), pace: .max).allUpdates().filter {
                switch $0.event {
                case .location, .satellites, .receiver: true
                default: false
                }
            }
            sessions.append(Session(updates: updates, observed: Self.observed(in: session)))
        }
        return sessions
    }

    /// Returns the number of recordings in which a rule suspects a receiver.
    private func suspects(_ sessions: [Session], _ rules: IntegrityRules, _ reason: IntegrityReasons) -> Int {
        sessions.count { session in
            guard session.observed != reason else { return false }
            var monitor = IntegrityMonitor(rules: rules)
            return session.updates.contains { monitor.process($0)?.reasons.isSuperset(of: reason) ?? false }
        }
    }

    @Test func `no receiver is in alarm, and none is suspect without a cause`() async throws {
        for session in SampleRecording.all {
            let observed = Self.observed(in: session)
            for next in try await ReplayProvider(.path(session.path), pace: .max).allTracked() {
                guard case .integrity(let change) = next else { continue }
                #expect(
                    change.to < .alarm && change.reasons.isSubset(of: observed),
                    "\(session.testDescription): \(change.message)")
            }
        }
    }

    @Test func `each threshold is beyond the most sensitive one at which no receiver is suspect`() async throws {
        let sessions = try await sessions()
        for threshold in Self.thresholds {
            func suspects(at value: Double) -> Int {
                var rules = IntegrityRules()
                threshold.set(&rules, value)
                return self.suspects(sessions, rules, threshold.reason)
            }
            let most = suspects(at: threshold.range.sensitive)
            #expect(suspects(at: threshold.range.insensitive) == 0, "\(threshold.name)")
            var (loud, quiet) = threshold.range
            if most == 0 { quiet = loud }
            for _ in 0..<12 where most > 0 {
                let middle = (loud + quiet) / 2
                if suspects(at: middle) == 0 { quiet = middle } else { loud = middle }
            }
            // The sensitive end of some is the greater one.
            let isBelow = threshold.range.sensitive < threshold.range.insensitive
            let factor = isBelow ? threshold.usual / quiet : quiet / threshold.usual
            #expect(factor >= threshold.margin, "\(threshold.name): quiet from \(quiet) on")
            guard ProcessInfo.processInfo.environment["LOCWATCH_THRESHOLDS"] != nil else { continue }
            print("threshold \(threshold.name): \(threshold.usual), quiet from \(quiet) on, \(most) suspects at most")
        }
    }
}

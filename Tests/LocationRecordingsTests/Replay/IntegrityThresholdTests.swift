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
    private struct Threshold {
        let name: String
        let reason: IntegrityReasons
        /// The most sensitive value of the search, and the least.
        let range: (sensitive: Double, insensitive: Double)
        /// The factor between the found value and the usual one, at least.
        let margin: Double
        let usual: Double
        let set: (inout IntegrityRules, Double) -> Void

        init(
            _ name: String, _ reason: IntegrityReasons, _ place: WritableKeyPath<IntegrityRules, Double>,
            from sensitive: Double = 0, to insensitive: Double = 1000, margin: Double = 2
        ) {
            (self.name, self.reason, self.margin) = (name, reason, margin)
            (range, usual) = ((sensitive, insensitive), IntegrityRules()[keyPath: place])
            set = { $0[keyPath: place] = $1 }
        }

        init(_ name: String, _ reason: IntegrityReasons, _ place: WritableKeyPath<IntegrityRules, Int>) {
            (self.name, self.reason, margin) = (name, reason, 2)
            (range, usual) = ((0, 1000), Double(IntegrityRules()[keyPath: place]))
            set = { $0[keyPath: place] = Int($1) }
        }
    }

    /// The recordings in which the observation of a rule is right.
    private static let observed: [String: IntegrityReasons] = [
        // A receiver with dead reckoning, whose signals fall by 22 dB within seconds.
        "trimble-smtx-dr": .signal,
        // A receiver whose date is 1,024 weeks after that of its recording.
        "garmin17n": .rollover,
    ]

    private let thresholds = [
        Threshold("jump", .jump, \.jump), Threshold("teleport", .teleport, \.teleport),
        Threshold("leap of the time", .clock, \.leap),
        Threshold("fall of the signals", .signal, \.fall, to: 50, margin: 3),
        Threshold("slow fall of the signals", .signal, \.slowFall, to: 50),
        Threshold("spread of the signals", .uniform, \.spread, from: 40, to: 0, margin: 6),
        Threshold("frozen share of the way", .frozen, \.frozen, from: 10, to: 0),
        Threshold("imbalance of the systems", .constellation, \.imbalance, to: 50),
        Threshold("remaining satellites", .sky, \.remaining, from: 1, to: 0),
        Threshold("height", .height, \.height), Threshold("climb", .height, \.climb),
        Threshold("interference", .receiver, \.interference),
        Threshold("rise of the interference", .receiver, \.interferenceRise),
    ]

    private static func observed(in session: SampleRecording) -> IntegrityReasons {
        observed.first { session.path.split(separator: "/").last?.hasPrefix($0.key) == true }?.value ?? []
    }

    /// A recording, with the reason that it gives.
    private typealias Session = (updates: [LocationUpdate], observed: IntegrityReasons)

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
            sessions.append((updates, Self.observed(in: session)))
        }
        return sessions
    }

    /// Returns whether a rule with a value of its threshold suspects a receiver without a cause.
    private static func suspects(in session: Session, _ threshold: Threshold, at value: Double) -> Bool {
        guard session.observed != threshold.reason else { return false }
        var rules = IntegrityRules()
        threshold.set(&rules, value)
        var monitor = IntegrityMonitor(rules: rules)
        return session.updates.contains { monitor.process($0)?.reasons.isSuperset(of: threshold.reason) ?? false }
    }

    @Test(arguments: SampleRecording.all)
    func `no receiver is in alarm, and none is suspect without a cause`(session: SampleRecording) async throws {
        let observed = Self.observed(in: session)
        for next in try await ReplayProvider(.path(session.path), pace: .max).allTracked() {
            guard case .integrity(let change) = next else { continue }
            #expect(change.to < .alarm && change.reasons.isSubset(of: observed), "\(change.message)")
        }
    }

    @Test func `each threshold is beyond the most sensitive one at which no receiver is suspect`() async throws {
        let sessions = try await sessions()
        for threshold in thresholds {
            var (loud, quiet) = threshold.range
            // A recording that is quiet at the most sensitive value is so at all others.
            let suspects = sessions.filter { Self.suspects(in: $0, threshold, at: loud) }
            func isQuiet(at value: Double) -> Bool {
                !suspects.contains { Self.suspects(in: $0, threshold, at: value) }
            }
            #expect(!sessions.contains { Self.suspects(in: $0, threshold, at: quiet) }, "\(threshold.name)")
            if suspects.isEmpty { quiet = loud }
            for _ in 0..<12 where !suspects.isEmpty {
                let middle = (loud + quiet) / 2
                if isQuiet(at: middle) { quiet = middle } else { loud = middle }
            }
            // The sensitive end of some is the greater one.
            let isBelow = threshold.range.sensitive < threshold.range.insensitive
            let factor = isBelow ? threshold.usual / quiet : quiet / threshold.usual
            #expect(factor >= threshold.margin, "\(threshold.name): quiet from \(quiet) on")
            guard ProcessInfo.processInfo.environment["LOCWATCH_THRESHOLDS"] != nil else { continue }
            print(
                "threshold \(threshold.name): \(threshold.usual), quiet from \(quiet) on, \(suspects.count) suspects at most"
            )
        }
    }
}

import Foundation
import LocationCore
import LocationRecordings
import TestSupport
import Testing

/// The epochs of recorded receivers, compared with an independent reading of their lines.
@Suite struct EpochOracleTests {
    /// The values of an epoch that are compared, under gpsd's names.
    private static let keys = ["mode", "lat", "lon", "altMSL", "speed", "eph"]

    /// An epoch: the values of all of its reports together, and the fields that any of them has.
    private struct Epoch {
        var values: [String: Double] = [:]
        var time: String?
        /// Whether it is older than the receiver's previous one.
        var isLate = false
    }

    /// Returns the epochs of each receiver in their order: reports with a position of the same device and time.
    private static func epochs(of session: SampleRecording) throws -> [String: [Epoch]] {
        var epochs: [String: [Epoch]] = [:]
        for report in try session.reports {
            guard let (latitude, longitude) = Self.position(report) else { continue }
            let values = report.compactMapValues { $0 as? Double }
            let (device, time) = (report["device"] as? String ?? "", report["time"] as? String)
            var epoch = Epoch(values: values, time: time)
            if let time, let last = epochs[device]?.last, let previous = last.time {
                epoch.isLate = time < previous
                if time == previous {
                    let known = last.values
                    epoch.values = known.merging(values) { $1 }
                    epoch.isLate = last.isLate
                    // The smaller accuracy counts while the place lies within it.
                    if let before = known["eph"], let after = values["eph"], before < after, let from = known["lat"],
                        let to = known["lon"], max(abs(from - latitude), abs(to - longitude)) * 111_200 <= before
                    {
                        epoch.values["eph"] = before
                    }
                    epochs[device]?.removeLast()
                }
            }
            epochs[device, default: []].append(epoch)
        }
        return epochs
    }

    /// Returns the coordinate of a report with a position.
    private static func position(_ report: [String: Any]) -> (latitude: Double, longitude: Double)? {
        guard report["class"] as? String == "TPV", report["mode"] as? Int ?? 0 >= 2,
            let latitude = report["lat"] as? Double, let longitude = report["lon"] as? Double,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return (latitude, longitude)
    }

    private static func values(of location: Location) -> [String: Double] {
        [
            "mode": location.fix == .threeD ? 3 : 2, "lat": location.coordinate.latitude,
            "lon": location.coordinate.longitude, "altMSL": location.altitudeMSL, "speed": location.speed,
            "eph": location.horizontalAccuracy, "altHAE": location.altitudeHAE, "epv": location.verticalAccuracy,
            "track": location.course, "climb": location.climb, "eps": location.speedAccuracy,
            "geoidSep": location.geoidSeparation,
        ].compactMapValues(\.self)
    }

    private static func updates(of session: SampleRecording) async throws -> [LocationUpdate] {
        try await ReplayProvider(.path(session.path), pace: .max).allUpdates()
    }

    private static func positions(_ updates: [LocationUpdate]) -> [String: [Location]] {
        Dictionary(grouping: updates.compactMap(\.location)) { $0.device ?? "" }
    }

    @Test(arguments: SampleRecording.all)
    func `each epoch is one position, and only the first one with a late report can lack its field`(
        session: SampleRecording
    ) async throws {
        let epochs = try Self.epochs(of: session)
        let updates = try await Self.updates(of: session)
        let locations = Self.positions(updates)
        #expect(epochs.mapValues { $0.map(\.isLate) } == locations.mapValues { $0.map(\.isLate) })
        let hasSky = try session.reports.contains { $0["class"] as? String == "SKY" }
        #expect(updates.contains { if case .satellites = $0.event { true } else { false } } == hasSky)
        // The values of a receiver must not be taken for implausible ones.
        let notices = updates.compactMap { if case .notice(let notice) = $0.event { notice.code } else { nil } }
        #expect(!notices.contains("implausibleValue"))
        let positions = locations.mapValues { $0.map(Self.values) }
        for (device, epochs) in epochs {
            let lost = zip(epochs, positions[device] ?? []).flatMap { epoch, position in
                ["altMSL", "altHAE", "eph", "epv", "speed", "track", "climb", "eps", "geoidSep"].filter {
                    epoch.values[$0] != nil && position[$0] == nil
                }
            }
            let counts = Dictionary(lost.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(counts.allSatisfy { $0.value == 1 }, "\(device): \(counts)")
        }
    }

    @Test func `at least 97 of 100 epochs are whole, and equal to what their reports say together`() async throws {
        var (all, equal) = (0, 0)
        for session in SampleRecording.all {
            let epochs = try Self.epochs(of: session)
            let positions = Self.positions(try await Self.updates(of: session)).mapValues { $0.map(Self.values) }
            for (device, epochs) in epochs {
                for (epoch, position) in zip(epochs, positions[device] ?? []) {
                    all += 1
                    if Self.keys.allSatisfy({ epoch.values[$0] == position[$0] }) { equal += 1 }
                }
            }
        }
        #expect(all > 100)
        #expect(Double(equal) >= 0.97 * Double(all), "\(equal) of \(all)")
    }

    @Test(arguments: SampleRecording.all)
    func `every pace gives the same updates and a state that agrees with them`(session: SampleRecording) async throws {
        let tracked = try await ReplayProvider(.path(session.path), pace: .max).allTracked()
        #expect(try await ReplayProvider(.path(session.path), pace: .times(1e9)).allTracked() == tracked)
        let found = tracked.contains { if case .transition(let change) = $0 { change.reason == .fix } else { false } }
        #expect(try found == Self.epochs(of: session).values.contains { $0.contains { !$0.isLate } })
    }
}

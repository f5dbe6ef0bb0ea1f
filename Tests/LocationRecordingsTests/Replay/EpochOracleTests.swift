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
        /// Whether its reports state different places, as those of a receiver that sends two protocols.
        var isContradictory = false
    }

    /// The number of reports of one coordinate and without a time that are one epoch at most.
    private static let mostUntimed = 8

    /// Returns the reports without those that a later report of the same device's first epoch repeats, before it has the time.
    ///
    /// That epoch ends with a report of another coordinate, or of none.
    private static func withoutUntimedRepeats(_ reports: [[String: Any]]) -> [[String: Any]] {
        var kept: [[String: Any]] = []
        // The reports of each device that wait, and the devices whose first epoch has ended.
        var waiting: [String: [[String: Any]]] = [:]
        var decided: Set<String> = []
        for report in reports {
            let device = report["device"] as? String ?? ""
            let run = waiting[device] ?? []
            guard let place = Self.position(report) else {
                guard report["class"] as? String == "TPV", !run.isEmpty else { continue }
                decided.insert(device)
                waiting[device] = nil
                kept += run.count <= mostUntimed ? Array(run.suffix(1)) : run
                continue
            }
            guard !decided.contains(device) else {
                kept.append(report)
                continue
            }
            let isSame = run.last.flatMap(Self.position).map { $0 == place } ?? true
            if report["time"] == nil, isSame {
                waiting[device] = run + [report]
                continue
            }
            decided.insert(device)
            waiting[device] = nil
            kept += run.count <= mostUntimed ? isSame ? [] : Array(run.suffix(1)) : run
            kept.append(report)
        }
        for run in waiting.values { kept += run.count <= mostUntimed ? Array(run.suffix(1)) : run }
        return kept
    }

    /// Returns the epochs of each receiver in their order: reports with a position of the same device and time.
    private static func epochs(of reports: [[String: Any]]) -> [String: [Epoch]] {
        var epochs: [String: [Epoch]] = [:]
        for report in reports {
            guard let (latitude, longitude) = Self.position(report) else { continue }
            // With an accuracy of zero a receiver says that it states none.
            let values = report.compactMapValues { $0 as? Double }.filter {
                $0.value != 0 || !["eph", "epv"].contains($0.key)
            }
            let (device, time) = (report["device"] as? String ?? "", report["time"] as? String)
            var epoch = Epoch(values: values, time: time)
            if let time, let last = epochs[device]?.last, let previous = last.time {
                epoch.isLate = time < previous
                if time == previous {
                    let known = last.values
                    epoch.values = known.merging(values) { $1 }
                    epoch.isLate = last.isLate
                    epoch.isContradictory =
                        last.isContradictory
                        || ["lat", "lon", "altMSL"].contains {
                            if let before = known[$0], let after = values[$0] { before != after } else { false }
                        }
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

    /// A recording as both have read it.
    private struct Reading {
        let epochs: [String: [Epoch]]
        let hasSky: Bool
        let tracked: [TrackedUpdate]
        var updates: [LocationUpdate] {
            tracked.compactMap { if case .update(let update, _) = $0 { update } else { nil } }
        }
        var positions: [String: [Location]] { Dictionary(grouping: updates.compactMap(\.location)) { $0.device ?? "" } }
    }

    /// The readings of all recordings by their paths, which all tests share.
    private static let readings = Task {
        var readings: [String: Reading] = [:]
        for session in SampleRecording.all {
            let reports = try session.reports
            readings[session.path] = Reading(
                epochs: Self.epochs(of: Self.withoutUntimedRepeats(reports)),
                hasSky: reports.contains { $0["class"] as? String == "SKY" },
                tracked: try await ReplayProvider(.path(session.path), pace: .max).allTracked())
        }
        return readings
    }

    private func reading(_ session: SampleRecording) async throws -> Reading {
        try #require(try await Self.readings.value[session.path])
    }

    @Test(arguments: SampleRecording.all)
    func `each epoch is one position, and only the first one with a late report can lack its field`(
        session: SampleRecording
    ) async throws {
        let reading = try await reading(session)
        let (epochs, locations, updates) = (reading.epochs, reading.positions, reading.updates)
        #expect(epochs.mapValues { $0.map(\.isLate) } == locations.mapValues { $0.map(\.isLate) })
        #expect(updates.contains { if case .satellites = $0.event { true } else { false } } == reading.hasSky)
        // The values of a receiver must not be taken for implausible ones.
        let notices = updates.compactMap { if case .notice(let notice) = $0.event { notice.code } else { nil } }
        #expect(!notices.contains("implausibleValue"))
        for (device, epochs) in epochs {
            let lost = zip(epochs, locations[device]?.map(Self.values) ?? []).flatMap { epoch, position in
                ["altMSL", "altHAE", "eph", "epv", "speed", "track", "climb", "eps", "geoidSep"].filter {
                    epoch.values[$0] != nil && position[$0] == nil
                }
            }
            let counts = Dictionary(lost.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(counts.allSatisfy { $0.value == 1 }, "\(device): \(counts)")
        }
    }

    @Test func `each epoch whose reports agree about the place is whole, and equal to what they say together`()
        async throws
    {
        var (all, own, contradictory, unequal) = (0, 0, 0, [String]())
        for (path, reading) in try await Self.readings.value {
            if SampleRecording(path: path).isFixture { own += reading.epochs.values.reduce(0) { $0 + $1.count } }
            let positions = reading.positions
            for (device, epochs) in reading.epochs {
                for (epoch, position) in zip(epochs, positions[device]?.map(Self.values) ?? []) {
                    all += 1
                    if epoch.isContradictory {
                        contradictory += 1
                    } else if !Self.keys.allSatisfy({ epoch.values[$0] == position[$0] }) {
                        unequal.append("\(path) \(device) \(epoch.time ?? "")")
                    }
                }
            }
        }
        #expect(own == 612)
        #expect(unequal == [])
        // None of those of this package; some receivers of the others send two protocols.
        #expect(
            all == own ? contradictory == 0 : Double(contradictory) <= 0.04 * Double(all), "\(contradictory) of \(all)")
    }

    @Test(arguments: SampleRecording.all)
    func `every pace gives the same updates and a state that agrees with them`(session: SampleRecording) async throws {
        let reading = try await reading(session)
        #expect(try await ReplayProvider(.path(session.path), pace: .times(1e9)).allTracked() == reading.tracked)
        let found = reading.tracked.contains {
            if case .transition(let change) = $0 { change.reason == .fix } else { false }
        }
        #expect(found == reading.epochs.values.contains { $0.contains { !$0.isLate } })
    }
}

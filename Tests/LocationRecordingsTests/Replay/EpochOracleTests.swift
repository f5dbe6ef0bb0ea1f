import Foundation
import LocationCore
import LocationRecordings
import Testing

/// The epochs of recorded receivers, compared with an independent reading of their lines.
@Suite struct EpochOracleTests {
    /// The recordings of this package and of the folder named by LOCWATCH_CORPUS.
    private static let recordings: [URL] = {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures")
        return [fixtures, corpus.map { URL(filePath: $0) }].compactMap(\.self).flatMap { folder in
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
                .compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
        }.sorted { $0.path < $1.path }
    }()

    /// The values of an epoch that are compared, under gpsd's names.
    private static let keys = ["mode", "lat", "lon", "altMSL", "speed", "eph"]

    /// An epoch: the values of all of its reports together, and the fields that any of them has.
    private struct Epoch {
        var values: [String: Double] = [:]
        var time: String?
    }

    /// Returns the epochs of a session in their order: reports with a position of the same device and time.
    private static func epochs(of recording: URL) throws -> [String: [Epoch]] {
        var epochs: [String: [Epoch]] = [:]
        for line in try Data(contentsOf: recording).split(separator: UInt8(ascii: "\n")) {
            guard let start = line.firstIndex(of: UInt8(ascii: "{")),
                let report = try? JSONSerialization.jsonObject(with: line[start...]) as? [String: Any],
                report["class"] as? String == "TPV"
            else { continue }
            var values = report.compactMapValues { $0 as? Double }
            guard let latitude = values["lat"], let longitude = values["lon"], values["mode"] ?? 0 >= 2,
                abs(latitude) <= 90, abs(longitude) <= 180
            else { continue }
            let (device, time) = (report["device"] as? String ?? "", report["time"] as? String)
            if time != nil, let last = epochs[device]?.last, last.time == time {
                let known = last.values
                // The smaller accuracy counts while the place lies within it.
                if let before = known["eph"], let after = values["eph"], before < after,
                    let from = known["lat"], let to = known["lon"],
                    max(abs(from - latitude), abs(to - longitude)) * 111_200 <= before
                {
                    values["eph"] = before
                }
                let merged = Epoch(values: known.merging(values) { $1 }, time: time)
                epochs[device]?.removeLast()
                epochs[device]?.append(merged)
            } else {
                epochs[device, default: []].append(Epoch(values: values, time: time))
            }
        }
        return epochs
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

    private static func positions(of recording: URL) async throws -> [String: [[String: Double]]] {
        var positions: [String: [[String: Double]]] = [:]
        for try await update in ReplayProvider(.path(recording.path), pace: .max).updates() {
            guard let location = update.location else { continue }
            positions[location.device ?? "", default: []].append(values(of: location))
        }
        return positions
    }

    @Test(arguments: recordings)
    func `each epoch is one position, and only the first one with a late report can lack its field`(
        recording: URL
    ) async throws {
        let epochs = try Self.epochs(of: recording)
        let positions = try await Self.positions(of: recording)
        #expect(epochs.mapValues(\.count) == positions.mapValues(\.count))
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
        for recording in Self.recordings {
            let epochs = try Self.epochs(of: recording)
            let positions = try await Self.positions(of: recording)
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
}

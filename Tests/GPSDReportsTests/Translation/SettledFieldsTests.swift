import Foundation
import GPSDReports
import LocationCore
import Testing

/// The fields of the settled positions of recorded receivers, compared with those of all reports of their epochs.
@Suite struct SettledFieldsTests {
    /// The recordings of this package and of the folder named by LOCWATCH_CORPUS.
    private static let recordings: [URL] = {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures")
        let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"].map { URL(filePath: $0) }
        return [fixtures, corpus].compactMap(\.self).flatMap { folder in
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
                .compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
        }.sorted { $0.path < $1.path }
    }()

    private static func fields(of location: Location) -> Set<String> {
        let values: [(String, Bool)] = [
            ("fix", location.fix == .threeD), ("altitudeMSL", location.altitudeMSL != nil),
            ("altitudeHAE", location.altitudeHAE != nil), ("horizontalAccuracy", location.horizontalAccuracy != nil),
            ("verticalAccuracy", location.verticalAccuracy != nil), ("speed", location.speed != nil),
            ("course", location.course != nil), ("climb", location.climb != nil),
            ("speedAccuracy", location.speedAccuracy != nil), ("geoidSeparation", location.geoidSeparation != nil),
        ]
        return Set(values.filter(\.1).map(\.0))
    }

    /// Returns the fields of each epoch of each receiver, over all of its reports.
    private static func epochs(_ updates: LocationUpdates) async throws -> [String?: [Set<String>]] {
        var epochs: [String?: [Set<String>]] = [:]
        for try await update in updates {
            guard let location = update.location else { continue }
            if location.revision == 0 { epochs[location.device, default: []].append([]) }
            let last = try #require(epochs[location.device]?.indices.last)
            epochs[location.device]?[last].formUnion(fields(of: location))
        }
        return epochs
    }

    @Test(arguments: recordings)
    func `only the first epoch to which a later report adds a field can lose it`(recording: URL) async throws {
        let provider = ReplayProvider(.path(recording.path), pace: .max)
        let complete = try await Self.epochs(provider.updates())
        let settled = try await Self.epochs(provider.settled().updates())
        #expect(complete.mapValues(\.count) == settled.mapValues(\.count))
        for (device, epochs) in complete {
            let lost = zip(epochs, settled[device] ?? []).flatMap { $0.subtracting($1) }
            let counts = Dictionary(lost.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(
                counts.allSatisfy { $0.value == 1 }, "\(device ?? "no device") of \(epochs.count) epochs: \(counts)")
        }
    }
}

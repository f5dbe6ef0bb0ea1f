import Foundation
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

/// Replays of sessions of a real gpsd with simulated receivers, and of a generated one, each of which demonstrates one
/// scenario.
@Suite struct FixtureTests {
    private func provider(_ name: String) -> ReplayProvider {
        ReplayProvider(.path(SampleRecording.fixture(name)), pace: .max)
    }

    private static let stories: [(name: String, reasons: [String])] = [
        ("first-fix", ["connected", "noFix", "fix"]),
        ("walk", ["connected", "fix"]),
        ("fix-lost-and-found", ["connected", "fix", "noFix", "fix"]),
        ("no-fix", ["connected", "noFix"]),
        ("two-devices", ["connected", "fix"]),
        ("several-reports-an-epoch", ["connected", "fix"]),
        ("no-device", ["connected", "noDevice"]),
        ("unplugged", ["connected", "fix", "silent", "deviceSilent"]),
        ("clock", ["connected", "fix"]), ("dual-band", ["connected", "fix"]), ("skies-in-parts", ["connected", "fix"]),
    ]

    @Test(arguments: ["walk", "fix-lost-and-found", "two-devices", "several-reports-an-epoch"])
    func `a session has the same positions with and without their standings`(name: String) async throws {
        let plain = try await provider(name).allUpdates().filter { $0.location != nil }
        let tracked = try await provider(name).allTracked().compactMap {
            if case .update(let update, _) = $0, update.location != nil { update } else { nil }
        }
        #expect(plain == tracked && !plain.isEmpty)
    }

    @Test(arguments: stories)
    func `a session goes through the states of its scenario`(name: String, reasons: [String]) async throws {
        let told = try await provider(name).allTracked().compactMap {
            if case .transition(let change) = $0 { change.reason.code } else { nil }
        }
        #expect(told == reasons)
    }

    @Test func `the folder contains exactly these scenarios`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SampleRecording.fixtures).filter {
            FileManager.default.fileExists(atPath: SampleRecording.fixture($0))
        }
        #expect(Set(names) == Set(Self.stories.map(\.name)))
    }

    /// The recordings of real receivers, each with the driver of gpsd.
    private static let receivers = [
        "bu303-moving": "SiRF", "garmin17n": "NMEA0183", "garmin18x-bin": "Garmin Serial binary",
        "haicom-305N": "NMEA0183", "oncore-binary-pos-hold": "Motorola Oncore", "skytraq-PX1172RH_DS": "Skytraq",
        "trimble-smtx-dr": "Trimble TSIP", "ublox-zed-f9p-rtk": "u-blox",
    ]

    @Test func `eight recordings are of real receivers, with the drivers that their table names`() throws {
        let folder = SampleRecording.fixtures + "/receivers"
        let page = try String(contentsOfFile: folder + "/README.md", encoding: .utf8)
        for (name, driver) in Self.receivers {
            let lines = try String(contentsOfFile: SampleRecording.receiver(name), encoding: .utf8)
            #expect(lines.contains("\"driver\":\"\(driver)\""), "\(name)")
            #expect(page.contains("| `\(name).json` | \(driver) | "), "\(name)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        #expect(Set(names) == Set(Self.receivers.keys.map { $0 + ".json" }))
    }

    @Test func `satellites are seen before the first fix`() async throws {
        let events = try await provider("first-fix").allUpdates().map(\.event)
        let sky = events.firstIndex { if case .satellites(let sky) = $0 { sky.seen ?? 0 > 0 } else { false } }
        let fix = events.firstIndex { if case .location = $0 { true } else { false } }
        #expect(try #require(sky) < #require(fix))
    }

    @Test func `gpsd 3_25 lists the signals of two bands, and each satellite counts once`() async throws {
        let skies = try await provider("dual-band").allUpdates().compactMap(\.sky)
        let sky = try #require(skies.last)
        #expect(sky.seen == 21 && sky.used == 15 && sky.distinctSatellites?.count == 21)
        #expect(try #require(sky.signals) > 21)
    }

    @Test func `gpsd 3_25 reports a sky in parts, and each position has the satellites of them together`() async throws
    {
        let updates = try await provider("skies-in-parts").allUpdates()
        let positions = updates.filter { $0.location != nil }
        #expect(positions.count == 14)
        for update in positions {
            #expect(update.sky?.seen == 21 && update.sky?.used == 15 && update.sky?.dilution.horizontal != nil)
        }
    }
}

import Foundation
import LocationCore
import LocationRecordings
import Testing

/// Sessions of real receivers in the folder that `LOCWATCH_CORPUS` names, with the results of an independent reader.
@Suite(.enabled(if: corpus != nil, "LOCWATCH_CORPUS names no folder of recorded sessions"))
struct CorpusReplayTests {
    @Test(arguments: expectations())
    func `a replay gives the locations that an independent reader gives`(expected: Expectation) async throws {
        let path = try #require(corpus) + "/" + expected.name
        var locations: [Location] = []
        var skyViews = 0
        var notices: [Notice.Content] = []
        for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
            switch update.event {
            case .location(let location): locations.append(location)
            case .satellites: skyViews += 1
            case .notice(let notice): notices.append(notice.content)
            default: break
            }
        }
        #expect(locations.count == expected.epochs)
        #expect(locations.count { $0.isLate } == expected.late)
        #expect(skyViews <= expected.sky && (skyViews > 0) == (expected.sky > 0))
        // The values of a real receiver must not be taken for implausible ones.
        #expect(!notices.contains { if case .implausibleValue = $0 { true } else { false } }, "\(notices)")
        #expect(locations.first?.coordinate == expected.first)
        // A part that comes after its epoch was emitted can have further digits of the same coordinate.
        #expect(locations.last?.coordinate.isNear(expected.last) ?? (expected.last == nil))
    }

    @Test(arguments: expectations())
    func `every pace gives the same updates and a state that agrees with them`(expected: Expectation) async throws {
        let path = try #require(corpus) + "/" + expected.name
        var tracked: [TrackedUpdate] = []
        for try await next in ReplayProvider(.path(path), pace: .max).tracked() { tracked.append(next) }
        var quick: [TrackedUpdate] = []
        let hurry = ReplayProvider(.path(path), pace: .times(1e9))
        for try await next in hurry.tracked() { quick.append(next) }
        #expect(quick == tracked)
        let found = tracked.contains { if case .transition(let change) = $0 { change.reason == .fix } else { false } }
        #expect(found == (expected.epochs > expected.late))
    }
}

extension Coordinate {
    /// Returns whether another coordinate is within about 10 cm.
    fileprivate func isNear(_ other: Coordinate?) -> Bool {
        guard let other else { return false }
        return abs(latitude - other.latitude) < 1e-6 && abs(longitude - other.longitude) < 1e-6
    }
}

let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"]

/// A line of `EXPECTED.tsv`.
struct Expectation: Sendable, CustomTestStringConvertible {
    var name: String
    var locations: Int
    var epochs: Int
    var late: Int
    var sky: Int
    var first: Coordinate?
    var last: Coordinate?
    var testDescription: String { name }

    init?(_ line: Substring) {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard cells.count >= 17, let locations = Int(cells[9]), let epochs = Int(cells[10]),
            let late = Int(cells[11]), let sky = Int(cells[12])
        else { return nil }
        name = String(cells[0])
        (self.locations, self.epochs, self.late, self.sky) = (locations, epochs, late, sky)
        first = Self.coordinate(cells[13], cells[14])
        last = Self.coordinate(cells[15], cells[16])
    }

    private static func coordinate(_ latitude: Substring, _ longitude: Substring) -> Coordinate? {
        guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
        return Coordinate(checking: latitude, longitude)
    }
}

func expectations() -> [Expectation] {
    guard let corpus, let table = try? String(contentsOfFile: corpus + "/EXPECTED.tsv", encoding: .utf8) else {
        return []
    }
    return table.split(separator: "\n").dropFirst().compactMap(Expectation.init)
}

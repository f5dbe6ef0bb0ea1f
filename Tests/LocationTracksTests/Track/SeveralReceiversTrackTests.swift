import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct SeveralReceiversTrackTests {
    private func session(_ locations: [(Int, String?)]) -> [TrackedUpdate] {
        MadeUpSession.tracked(locations.map { (.location(MadeUpSession.moving(Double($0), $1)), Double($0)) })
    }

    /// Two receivers at 1 Hz, the first of which falls silent after ten seconds.
    private var handedOver: [TrackedUpdate] {
        var reports: [(Int, String?)] = []
        for second in 0..<30 {
            if second < 10 { reports.append((second, "a")) }
            reports.append((second, "b"))
        }
        return session(reports)
    }

    @Test func `a handover begins a segment and is its reason`() throws {
        var assembler = TrackAssembler()
        let elements = handedOver.flatMap { assembler.process($0) }
        let devices = SampleTrack.points(elements).map(\.location.device)
        #expect(devices == Array(repeating: "a", count: 10) + Array(repeating: "b", count: 18))
        let gaps = elements.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }
        let handovers = gaps.compactMap { if case .handover(let handover) = $0 { handover } else { nil } }
        let handover = try #require(handovers.first)
        #expect(handover.from == "a" && handover.to == "b" && handover.reason == .lost(.silent(for: .seconds(3))))
        #expect(gaps.map(\.moment) == [handover.moment])
    }

    @Test func `the statistics follow the current receiver and each receiver has its own`() {
        let statistics = TrackStatistics(handedOver)
        #expect(statistics.handovers == 1)
        #expect(statistics.gaps.isEmpty && statistics.availability == 1)
        // Nine steps of one receiver, seventeen of the other, and none between their antennas.
        #expect(abs(statistics.motion.rawDistance - 260) < 1)
        let (first, second) = (statistics.receivers[0], statistics.receivers[1])
        #expect([first.device, second.device] == ["a", "b"])
        #expect(first.epochs == 10 && second.epochs == 30)
        #expect(first.foundTime == .seconds(12) && second.foundTime == .seconds(29))
        #expect(first.gaps.map(\.length) == [.seconds(17)])
        #expect(first.horizontalAccuracy.median == 5)
    }

    @Test func `each receiver has a track of its own`() {
        var tracks = ReceiverTracks(limit: 2)
        var counts: [String?: Int] = [:]
        let reports = (0..<20).flatMap { [($0, "a"), ($0, nil), ($0, "c")] }
        for update in session(reports) { tracks.process(update) { device, _ in counts[device, default: 0] += 1 } }
        #expect(counts == ["a": 20, nil: 20])
        #expect(tracks.leftOut == 20)
    }

    @Test func `a receiver's track is split by its own losses`() {
        var tracks = ReceiverTracks(limit: 10)
        var gaps: [String?] = []
        var reports: [(Int, String?)] = []
        for second in 0..<40 {
            if second < 10 || second >= 30 { reports.append((second, "a")) }
            reports.append((second, "b"))
        }
        for update in session(reports) {
            tracks.process(update) { device, element in if case .gap = element { gaps.append(device) } }
        }
        #expect(gaps == ["a"])
    }

    @Test func `the statistics of a thousand receivers are bounded`() {
        let statistics = TrackStatistics(3000, at: { .seconds($0 / 1000) }) { number in
            MadeUpSession.moving(Double(number / 1000), "/dev/gps\(number % 1000)")
        }
        #expect(statistics.receivers.count == TrackStatistics.receiverLimit)
        #expect(statistics.epochs == 3000)
    }
}

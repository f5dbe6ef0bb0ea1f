import LocationCore
import Testing

@testable import LocationTracks

/// Tracks and statistics of receivers with long intervals, with the changes of state that the trackers produce.
@Suite struct SlowTrackTests {
    private func session(_ events: [(LocationEvent, Double)], staleAfter: Duration? = nil) -> [TrackedUpdate] {
        MadeUpSession.tracked(events, staleAfter: staleAfter)
    }

    /// Returns a position of another time, if any, that arrives at a second.
    private func fix(_ second: Double, of time: Double? = nil) -> (LocationEvent, Double) {
        (.location(MadeUpSession.moving(time ?? second)), second)
    }

    private func fixes(_ times: [Double]) -> [(LocationEvent, Double)] { times.map { fix($0) } }

    private func track(_ updates: [TrackedUpdate]) -> [Int] {
        var assembler = TrackAssembler()
        let elements = updates.flatMap { assembler.process($0) }
        return elements.split { if case .gap = $0 { true } else { false } }.map(\.count)
    }

    @Test(arguments: [0.1, 0.25, 1, 4, 10, 20])
    func `a receiver has one segment, its full distance, and no gap, whatever its interval is`(interval: Double) {
        let updates = session(fixes((0..<20).map { (number: Int) -> Double in Double(number) * interval }))
        #expect(track(updates) == [20])
        let statistics = TrackStatistics(updates)
        #expect(statistics.gaps.isEmpty)
        #expect(statistics.availability == 1)
        #expect(abs(statistics.motion.rawDistance - 190 * interval) < 1)
        #expect(statistics.receivers.map(\.gaps.count) == [0])
        #expect(statistics.receivers.first?.reportInterval == .milliseconds(Int(interval * 1000)))
    }

    @Test func `missing reports of a receiver with a known interval are a gap`() {
        let times: [Double] = stride(from: 0.0, to: 10, by: 1).map { $0 } + stride(from: 30.0, to: 40, by: 1).map { $0 }
        let updates = session(fixes(times))
        #expect(track(updates) == [10, 10])
        let statistics = TrackStatistics(updates)
        #expect(statistics.gaps.map(\.length) == [.seconds(18)])
        #expect(statistics.receivers.map(\.gaps.count) == [1])
    }

    @Test func `a silence of more than a minute is a gap even if the interval is unknown`() {
        #expect(track(session(fixes([0, 61, 62, 63]))) == [1, 3])
    }

    @Test func `a reported loss is a gap, however short`() {
        let noFix = LocationEvent.searching(.noFix(seen: 2, used: 0, best: nil), device: "a")
        #expect(track(session(fixes([0, 1, 2]) + [(noFix, 3)] + fixes([4, 5]))) == [3, 2])
        // A loss that is reported during a silence is a gap too.
        #expect(track(session(fixes([0, 10, 20]) + [(noFix, 22)] + fixes([30, 40]))) == [3, 2])
        #expect(track(session(fixes([0]) + [(noFix, 5)] + fixes([10, 20, 30]))) == [1, 3])
    }

    @Test func `staleAfter applies to the track too`() {
        let times: [Double] = stride(from: 0.0, to: 100, by: 10).map { $0 }
        #expect(track(session(fixes(times), staleAfter: .seconds(4))) == Array(repeating: 1, count: 10))
        let rare: [Double] = [0, 300, 600, 900]
        #expect(track(session(fixes(rare), staleAfter: .seconds(900))) == [4])
        #expect(track(session(fixes(rare))) == [1, 1, 1, 1])
    }

    @Test func `delayed reports are not missing`() {
        let delayed = (10..<20).map { fix(20 + Double($0) / 1000, of: Double($0)) }
        #expect(track(session(fixes((0..<10).map(Double.init)) + delayed)) == [20])
    }

    @Test func `dropped positions are a gap only if their time is long`() {
        func dropped(_ second: Double) -> (LocationEvent, Double) {
            (.notice(.dropped(locations: 3, skyViews: 0)), second)
        }
        // The session's moments are those of the reader, which received all of them at once.
        let before = fixes([0, 1, 2, 3, 4]) + [dropped(4.5)]
        #expect(track(session(before + [fix(5, of: 60), fix(6, of: 61)])) == [5, 2])
        #expect(track(session(before + [fix(5, of: 7), fix(6, of: 8)])) == [7])
    }

    @Test func `an unwanted position still counts as a report of its receiver`() {
        var assembler = TrackAssembler()
        var elements: [TrackElement] = []
        for (index, update) in session(fixes((0..<40).map(Double.init))).enumerated() {
            var update = update
            if case .update(let event, _) = update, !(index < 10 || index > 30) { update = .update(event, .withheld) }
            assembler.process(update) { elements.append($0) }
        }
        #expect(!elements.contains { if case .gap = $0 { true } else { false } })
        #expect(elements.count < 30)
    }

    @Test func `hostile times still make a track with consistent statistics`() {
        var draw = SplitMix64(seed: 77)
        for _ in 0..<20 {
            var (events, now): ([(LocationEvent, Double)], Double) = ([], 0)
            for _ in 0..<200 {
                now += [0, 0.01, 1, 10, 59, 400][Int(draw.next() % 6)]
                var position = MadeUpSession.moving(now, ["a", "b", nil][Int(draw.next() % 3)])
                position.timestamp =
                    draw.next() % 4 == 0 ? nil : Timestamp(nanosecondsSince1970: Int64(bitPattern: draw.next()))
                position.isLate = draw.next() % 8 == 0
                events.append((.location(position), now))
            }
            let updates = session(events)
            #expect(track(updates).reduce(0, +) > 0)
            #expect(TrackStatistics(updates).contradictions == [])
        }
    }
}

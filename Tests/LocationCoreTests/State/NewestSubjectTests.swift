import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct NewestSubjectTests {
    private let car = "owntracks/anna/car"
    private let boat = "owntracks/anna/boat"
    private let lost = LocationError.broker(address: "localhost:1883", cause: "the broker closed the connection")

    private func devices(_ changes: [TrackedUpdate]) -> [String] {
        changes.devices.map { "\($0.device ?? "-") \($0.reason.code)" }
    }

    @Test func `each device is found and lost on its own, and there is no handover`() {
        var trackers = SubjectTable()
        let first = trackers.hear(fix(1, device: car, accuracy: 50), at: moment(1))
        #expect(devices(first) == ["\(car) fix"])
        #expect(first.sessionCodes == ["fix"])
        // A better device does not replace another one, however long it is better.
        var all: [TrackedUpdate] = []
        for second in 2...30 {
            all += trackers.hear(fix(Double(second), device: car, accuracy: 50), at: moment(Double(second)))
            all += trackers.hear(fix(Double(second), device: boat, accuracy: 1), at: moment(Double(second) + 0.5))
        }
        #expect(devices(all) == ["\(boat) fix"])
        #expect(all.session == [] && all.handovers == [])
    }

    @Test func `the session shows the newest position of a device that still has one, whichever is lost`() {
        var trackers = SubjectTable()
        for (index, name) in ["a", "b", "c", "d"].enumerated() {
            _ = trackers.hear(fix(Double(index), device: name), at: moment(Double(index)))
        }
        _ = trackers.hear(fix(5, device: "b"), at: moment(5))
        let gone = trackers.hear(.searching(.deviceLost(path: "c"), device: "c"), at: moment(6))
        #expect(devices(gone) == ["c deviceLost"] && gone.session == [])
        var (shown, reasons): ([String?], [String]) = ([], [])
        for name in ["b", "d", "a"] {
            shown.append(trackers.state.location?.device)
            reasons += trackers.hear(.searching(.deviceLost(path: name), device: name), at: moment(7)).sessionCodes
        }
        #expect(shown == ["b", "d", "a"] && reasons == ["deviceLost"])
        #expect(trackers.state.location == nil)
    }

    @Test func `a lost connection changes the session but not the devices`() {
        var trackers = SubjectTable()
        _ = trackers.hear(fix(1, device: car), at: moment(1))
        let failed = trackers.hear(.failure(lost), at: moment(2))
        #expect(devices(failed) == [])
        #expect(failed.sessionCodes == ["broker"])
        #expect(trackers.devices[car]?.location?.device == car)
        #expect(trackers.hear(.searching(.connecting(attempt: 1)), at: moment(3)).sessionCodes == [])
        #expect(trackers.hear(fix(4, device: car), at: moment(4)).sessionCodes == ["fix"])
    }

    @Test func `the receivers of a session become subjects when it names its first machine`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: nil), at: moment(1))
        #expect(devices(trackers.hear(.device(DeviceStatus(path: car)), at: moment(2))) == [])
        #expect(trackers.state.location != nil)
        let expired = trackers.expire(at: moment(10))
        #expect(devices(expired) == ["- silent"] && expired.sessionCodes == ["silent"])
        #expect(trackers.state.location == nil)
    }

    @Test func `random devices are found and lost as by a tracker of each`() {
        var random = SplitMix64(seed: 11)
        var fleet = SubjectTable()
        var single: [String: LocationTracker] = [:]
        var (changes, expected): ([String], [String]) = ([], [])
        var now = 0.0
        for _ in 0..<3000 {
            now += Double(random.next() % 4000) / 1000
            let name = "d\(random.next() % 30)"
            let isLoss = random.next() % 10 == 0
            let event: LocationEvent =
                isLoss ? .searching(.deviceLost(path: name), device: name) : fix(now, device: name)
            for other in single.keys {
                let expired = single[other]?.expire(at: moment(now))
                if let expired { expected.append("\(expired.moment.elapsed) \(other)") }
            }
            expected += single[name, default: LocationTracker(staleAfter: nil, interval: .remote)]
                .apply(event, at: moment(now)).map { "\($0.moment.elapsed) \(name)" }
            changes += fleet.hear(event, at: moment(now)).devices.map { "\($0.moment.elapsed) \($0.device ?? "-")" }
        }
        #expect(changes.sorted() == expected.sorted())
        #expect(changes.count > 500)
        for (name, tracker) in single { #expect(fleet.devices[name] == tracker.state) }
    }
}

extension SubjectTable {
    /// Processes an event about the machine that its device names.
    fileprivate mutating func hear(_ event: LocationEvent, at moment: Moment) -> [TrackedUpdate] {
        apply(event, at: moment, of: event.device)
    }
}

/// The time and the memory that a device of a fleet takes.
@Suite(.serialized, .alone) struct NewestSubjectCostTests {
    @Test(.timeLimit(.minutes(2)))
    func `ten thousand devices take no longer for each report than ten`() {
        func time(devices count: Int, reports: Int) -> Duration {
            var trackers = SubjectTable()
            let names = (0..<count).map { "owntracks/fleet/\($0)" }
            let times = (0..<3).map { part in
                threadTime {
                    for report in part * reports..<(part + 1) * reports {
                        let second = Double(report) / Double(count)
                        _ = trackers.hear(fix(second, device: names[report % count]), at: moment(second))
                    }
                }
            }
            return times.min() ?? .zero
        }
        let few = time(devices: 10, reports: 20_000)
        let many = time(devices: 10_000, reports: 20_000)
        // More memory is slower; a list of all devices would be a thousand times slower.
        #expect(many < few * 20, "\(many) instead of \(few)")
    }

    @Test func `a machine takes less than 1_6 kB, of which its position has 600 bytes`() throws {
        let count = 25_000
        var tracker = Tracker()
        let before = try #require(RunningProcess.own.memory)
        for report in 0..<2 * count {
            let (time, name) = (Double(report) / 500, "owntracks/fleet/\(report % count)")
            tracker.apply(LocationUpdate(fix(time, device: name), at: moment(time)).ofFleet)
            while tracker.next() != nil {}
        }
        let used = try #require(RunningProcess.own.memory) - before
        #expect(used < 1600 * count, "\(used)")
        #expect(tracker.view.devices.count == count)
    }
}

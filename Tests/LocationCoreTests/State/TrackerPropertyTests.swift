import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Properties of a session that hold for any events: the seeds make the failures reproducible.
@Suite struct TrackerPropertyTests {
    /// A random session and the checks after each of its inputs.
    private struct RandomSession {
        var numbers: SplitMix64
        var session: TrackedSession
        let isFleet: Bool
        let devices: [String?]
        var now = moment(0)
        /// The moment of the newest report of each device, for positions that are late.
        var last = moment(0)
        var state = LocationState.searching(.starting)
        var hadPosition = false

        init(seed: UInt64) throws {
            numbers = SplitMix64(seed: seed)
            isFleet = numbers.below(4) == 0
            devices = (0..<1 + numbers.below(12)).map { $0 == 0 && seed.isMultiple(of: 5) ? nil : "/dev/\($0)" }
            var request = LocationRequest.everything
            switch numbers.below(4) {
            case 0: request.accuracy = 20
            case 1: request.fix = .threeD
            case 2: request.distanceFilter = 50
            default: break
            }
            let fences = FenceList([try .circle()], dwellAfter: .seconds(4))
            session = TrackedSession(
                Tracker(
                    filters: SessionFilters(for: request), fences: numbers.below(2) == 0 ? fences : nil,
                    staleAfter: numbers.below(2) == 0 ? .seconds(3) : nil), ofFleet: isFleet)
        }

        mutating func event() -> LocationEvent {
            let device = devices[numbers.below(devices.count)]
            switch numbers.below(20) {
            case 0: return .searching(.noFix(seen: numbers.below(9), used: 0, best: nil), device: device)
            case 1: return .searching(.deviceLost(path: device ?? "?"), device: device)
            case 2: return .searching(numbers.below(2) == 0 ? .noDevice : .connected(release: nil))
            case 3: return .failure(.daemon(message: "\(numbers.below(2))"))
            case 4: return .satellites(SkyView(satellites: nil, seen: numbers.below(20), device: device))
            case 5: return .notice(.message("x"))
            default:
                var location = Location(
                    coordinate: Coordinate(latitude: 45 + numbers.unit() / 500, longitude: 7),
                    fix: [.threeD, .threeD, .threeD, .twoD, .none][numbers.below(5)],
                    timestamp: numbers.below(9) == 0 ? nil : now.wall, device: device,
                    horizontalAccuracy: numbers.below(9) == 0 ? nil : numbers.unit() * 40,
                    altitudeMSL: numbers.below(2) == 0 ? 3 : nil)
                location.isLate = numbers.below(12) == 0
                return .location(location)
            }
        }

        /// Processes an event after some time, with the deadlines before it in time or late.
        mutating func step() {
            let next = now.advanced(by: .milliseconds(numbers.below(3) == 0 ? 0 : numbers.below(2000)))
            if numbers.below(3) > 0 {
                while let due = session.tracker.deadline, due <= next {
                    check(session.run { $0.expire(at: due) }, at: due)
                }
            }
            now = next
            check(session.process(event(), at: next), at: next)
        }

        mutating func check(_ results: [TrackedUpdate], at moment: Moment) {
            for result in results {
                #expect(result.moment >= last && result.moment <= moment, "\(result)")
                last = result.moment
                if case .transition(let transition) = result {
                    #expect(!transition.from.differs(from: state) && transition.to.differs(from: state), "\(result)")
                    state = transition.to
                }
                if case (_, .current)? = result.position { hadPosition = true }
            }
            let view = session.view
            #expect(!view.state.differs(from: state), "the view is \(view.state) after \(state)")
            if let due = session.tracker.deadline { #expect(due >= moment) }
            if let location = view.location {
                #expect(location.fix >= .twoD && !location.isLate)
                #expect(view[location.device]?.state.location != nil)
            }
            // A current position is the last result of its input.
            for case (let location, .current)? in results.suffix(1).map(\.position) {
                #expect(view.location == location)
                if !isFleet { #expect(view.subjects.state.location?.device == location.device) }
            }
            for case (let location, .current)? in results.map(\.position) where !isFleet {
                #expect(location.fix >= .twoD && !location.isLate)
            }
        }
    }

    @Test(arguments: UInt64(1)...24)
    func `the view, the transitions and the standings of a random session agree`(seed: UInt64) async throws {
        var session = try RandomSession(seed: seed)
        for _ in 0..<250 {
            session.step()
            // The tests beside this one share two threads on a small machine.
            await Task.yield()
        }
        let end = session.now
        session.check(session.session.run { $0.expire(at: end) }, at: end)
        #expect(session.hadPosition)
    }
}

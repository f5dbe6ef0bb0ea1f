import LocationCore
import Testing

@testable import LocationTracks

/// The distance, time and climb of tracks whose points have no speed.
struct WalkTests {
    /// Returns the motion over points at a pace in metres per second, with rests of 300 s between parts of 200 points each.
    private func motion(
        parts: Int, pace: Double, error: Double?, bearing: (Int) -> Double = { _ in 0 },
        height: (Int) -> Double = { _ in 100 }
    ) -> MotionStatistics {
        var session = MadeUpSession()
        var place = Coordinate(latitude: 45, longitude: 7)
        func add(after distance: Double) {
            let count = session.locations.count
            place = place.destination(distance: distance, bearing: bearing(count))
            session.locations.append(
                Location(
                    coordinate: place, timestamp: MadeUpSession.moment(count).wall, horizontalAccuracy: error,
                    altitudeMSL: height(count)))
        }
        add(after: 0)
        for part in 0..<parts {
            if part > 0 { for _ in 0..<300 { add(after: 0) } }
            for _ in 0..<200 { add(after: pace) }
        }
        var statistics = TrackStatistics()
        for update in session.updates { statistics.process(update) }
        return statistics.motion
    }

    @Test(arguments: [0.7, 1, 1.4, 5, 100], [3, 10, 30, nil])
    func `a way counts from its beginning, whatever its pace and its accuracy`(pace: Double, error: Double?) {
        let motion = motion(parts: 1, pace: pace, error: error)
        #expect(abs(motion.distance - 200 * pace) < 1e-3, "\(motion.distance)")
        #expect(motion.movingTime == .seconds(200) && motion.standingTime == .zero)
    }

    @Test(arguments: [1, 5, 100.0]) func `a way with corners counts along them, from its beginning`(pace: Double) {
        let motion = motion(parts: 1, pace: pace, error: 10, bearing: { $0 % 2 == 0 ? 90 : 0 })
        #expect(abs(motion.distance - 200 * pace) < 1e-3, "\(motion.distance)")
    }

    @Test(arguments: [20, 600, 3600], [nil, 1.4])
    func `a pause in which a watch reports nothing counts as standing, wherever it begins`(pause: Int, speed: Double?) {
        // The position before the pause is at another distance from the last anchor of the way each time.
        for length in 100..<115 {
            var statistics = TrackStatistics()
            var place = Coordinate(latitude: 46.5, longitude: 11.3)
            for point in 0..<(2 * length) {
                if point > 0, point != length { place = place.destination(distance: 2.8, bearing: 0) }
                let moment = MadeUpSession.moment(point * 2 + (point < length ? 0 : pause))
                let location = Location(coordinate: place, timestamp: moment.wall, altitudeMSL: 1000, speed: speed)
                let update = LocationUpdate(.location(location), at: moment)
                statistics.process(.update(update))
            }
            let motion = statistics.motion
            #expect(motion.standingTime == .seconds(pause + 2), "\(length)")
            #expect(motion.movingTime == .seconds(4 * (length - 1)), "\(length)")
            #expect(abs(motion.distance - 5.6 * Double(length - 1)) < 0.01, "\(length): \(motion.distance)")
        }
    }

    /// Returns the motion over points at a pace with a reported speed, each a time after the one before.
    private func motion(speed: Double, step: Double, seconds: Int, jumps: Double = 0) -> MotionStatistics {
        var statistics = TrackStatistics()
        var place = Coordinate(latitude: 45, longitude: 7)
        for point in 0..<20 {
            if point > 0 { place = place.destination(distance: point == 10 ? step + jumps : step, bearing: 90) }
            let moment = MadeUpSession.moment(point * seconds)
            let location = Location(
                coordinate: place, timestamp: moment.wall, horizontalAccuracy: 5, speed: speed)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        return statistics.motion
    }

    @Test(arguments: [0, 1, 5.0], [20, 60, 600])
    func `between points that are far apart in time the way counts, even if each speed is that of a stop`(
        speed: Double, seconds: Int
    ) {
        let motion = motion(speed: speed, step: 1000, seconds: seconds)
        #expect(abs(motion.distance - 19_000) < 1, "\(motion.distance)")
        #expect(motion.movingTime == .seconds(19 * seconds) && motion.standingTime == .zero)
    }

    @Test func `the speeds of a receiver that reports often, drift, and jumps count as before`() {
        #expect(motion(speed: 0, step: 20, seconds: 1).distance == 0)
        #expect(motion(speed: 0, step: 40, seconds: 60).distance == 0)
        let jumped = motion(speed: 0, step: 0, seconds: 11, jumps: 50_000)
        #expect(jumped.distance == 0 && jumped.rawDistance > 49_000, "\(jumped)")
    }

    @Test(arguments: [1, 1.4, 5], [3, 10, 30, nil])
    func `a rest between two ways is neither distance nor time of motion`(pace: Double, error: Double?) {
        let motion = motion(parts: 2, pace: pace, error: error)
        #expect(abs(motion.distance - 400 * pace) < 2, "\(motion.distance)")
        #expect(abs(motion.standingTime / .seconds(1) - 300) < 6, "\(motion.standingTime)")
        #expect(motion.movingTime + motion.standingTime == .seconds(700))
    }

    @Test(arguments: [1, 100.0]) func `a climb counts from the first height, and after a gap too`(pace: Double) {
        #expect(motion(parts: 1, pace: pace, error: nil, height: { $0 == 0 ? 100 : 200 }).ascent == 100)
        #expect(motion(parts: 1, pace: pace, error: nil, height: { 100 + Double($0) }).ascent == 200)
        #expect(motion(parts: 1, pace: pace, error: nil, height: { 300 - Double($0) }).descent == 200)
    }

    @Test func `a standstill at the beginning adds no distance, and a walk after it counts from its mean`() {
        let place = Coordinate(latitude: 45, longitude: 7)
        var session = MadeUpSession.standing(at: place, points: 600)
        session.locations[0].coordinate = place.destination(distance: 20, bearing: 180)
        for second in 600..<700 {
            session.locations.append(
                Location(
                    coordinate: place.destination(distance: Double(second - 599), bearing: 0),
                    timestamp: MadeUpSession.moment(second).wall))
        }
        for index in session.locations.indices {
            session.locations[index].speed = nil
            // The scatter alone tells a standstill.
            session.locations[index].horizontalAccuracy = 25
        }
        var statistics = TrackStatistics()
        for update in session.updates { statistics.process(update) }
        #expect(abs(statistics.motion.distance - 100) < 2, "\(statistics.motion.distance)")
        #expect(abs(statistics.motion.movingTime / .seconds(1) - 100) < 6, "\(statistics.motion.movingTime)")
    }

    @Test(arguments: [1, 2, 8]) func `a recording that was made faster than the receiver reported has its whole way`(
        rate: Int
    ) throws {
        var statistics = TrackStatistics()
        var place = Coordinate(latitude: 45, longitude: 7)
        for second in 0...60 {
            if second > 0 { place = place.destination(distance: 1.4, bearing: 90) }
            let start = MadeUpSession.moment(0)
            let moment = start.advanced(by: .seconds(second) / rate)
            let location = Location(
                coordinate: place, timestamp: start.wall.advanced(by: .seconds(second)), horizontalAccuracy: 5,
                speed: 1.4)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        #expect(abs(statistics.motion.distance - 84) < 0.1)
        #expect(abs(try #require(statistics.motion.averageMovingSpeed) - 1.4) < 0.01)
        #expect(statistics.motion.movingTime == .seconds(60) / rate)
    }

    /// Returns the statistics of two minutes at 15 m/s, a stop, and two more minutes at 15 m/s.
    private func drive(stop: Int, interval: Int, tellsSpeed: Bool) -> TrackStatistics {
        var statistics = TrackStatistics()
        let origin = Coordinate(latitude: 45, longitude: 7)
        for second in stride(from: 0, through: 240 + stop, by: interval) {
            let driven = min(second, 120) + max(0, second - 120 - stop)
            let moment = MadeUpSession.moment(second)
            let isStanding = 120...(120 + stop) ~= second
            let location = Location(
                coordinate: origin.destination(distance: Double(driven) * 15, bearing: 30), timestamp: moment.wall,
                horizontalAccuracy: 5, speed: tellsSpeed ? (isStanding ? 0 : 15) : nil)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        return statistics
    }

    @Test(arguments: [1, 5, 10, 15, 20, 30, 60], [false, true])
    func `a stop between two ways counts as standing at any interval`(interval: Int, tellsSpeed: Bool) {
        let motion = drive(stop: 300, interval: interval, tellsSpeed: tellsSpeed).motion
        let error = Duration.seconds(2 * max(interval, 5))
        #expect(abs(motion.distance - 3600) < 1)
        #expect(motion.standingTime > .seconds(300) - error && motion.standingTime <= .seconds(300))
        #expect(motion.movingTime + motion.standingTime == .seconds(540))
    }

    @Test(arguments: [(5, 20), (1, 10), (10, 60)])
    func `a short stop of reported speeds counts as standing from its beginning`(interval: Int, stop: Int) {
        let motion = drive(stop: stop, interval: interval, tellsSpeed: true).motion
        #expect(abs(motion.distance - 3600) < 1)
        #expect(motion.standingTime >= .seconds(stop - 2 * interval))
    }

    @Test(arguments: [0.3, 0.4]) func `a slow walk that leads away has its whole distance`(pace: Double) {
        let motion = motion(parts: 1, pace: pace, error: 5)
        // The end of the way is shorter than the accuracy.
        #expect((200 * pace - 5.5...200 * pace).contains(motion.distance), "\(motion.distance)")
    }

    @Test func `reports in bursts have the speed at which they were made`() throws {
        var statistics = TrackStatistics()
        let origin = Coordinate(latitude: 45, longitude: 7)
        for second in 0..<300 {
            let start = MadeUpSession.moment(0)
            let location = Location(
                coordinate: origin.destination(distance: Double(second) * 1.4, bearing: 0),
                timestamp: start.wall.advanced(by: .seconds(second)), horizontalAccuracy: 5, speed: 1.4)
            let moment = start.advanced(by: .seconds(second / 5 * 5))
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        #expect(abs(try #require(statistics.motion.averageMovingSpeed) - 1.4) < 0.05)
        #expect(abs(statistics.motion.distance - 418.6) < 3)
    }

    @Test(arguments: [1, 60]) func `a short move counts, and the rest behind it stands`(interval: Int) {
        var statistics = TrackStatistics()
        let origin = Coordinate(latitude: 45, longitude: 7)
        for point in 0..<60 {
            let moment = MadeUpSession.moment(point * interval)
            let location = Location(
                coordinate: point < 30 ? origin : origin.destination(distance: 8, bearing: 0), timestamp: moment.wall,
                horizontalAccuracy: 5)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        #expect(abs(statistics.motion.distance - 8) < 0.01, "\(statistics.motion.distance)")
        #expect(statistics.motion.movingTime <= .seconds(4 * interval))
    }

    @Test func `speeds that are reported at rest only take no time from the way`() {
        var statistics = TrackStatistics()
        let origin = Coordinate(latitude: 45, longitude: 7)
        // Twice a rest of ten seconds with speeds, and twenty seconds at 5 m/s without.
        for second in 0..<60 {
            let (round, phase) = (second / 30, second % 30)
            let moment = MadeUpSession.moment(second)
            let location = Location(
                coordinate: origin.destination(distance: Double(round * 20 + max(0, phase - 10)) * 5, bearing: 0),
                timestamp: moment.wall, horizontalAccuracy: 5, speed: phase <= 10 ? 0 : nil)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        let motion = statistics.motion
        #expect(motion.movingTime + motion.standingTime == .seconds(59))
        #expect(motion.movingTime >= .seconds(36) && motion.movingTime <= .seconds(42), "\(motion.movingTime)")
        #expect(motion.distance > 180 && motion.distance <= motion.rawDistance + 1e-3, "\(motion.distance)")
    }

    /// Returns the motion of a receiver that reports its speed each interval.
    private func motion(
        speeds: [Double?], interval: Duration = .seconds(1), error: Double = 10, moves: Bool = true
    ) -> MotionStatistics {
        var statistics = TrackStatistics()
        var place = Coordinate(latitude: 45, longitude: 7)
        for (point, speed) in speeds.enumerated() {
            let step = point > 0 && moves ? (speed ?? 0) * (interval / .seconds(1)) : 0
            place = place.destination(distance: step, bearing: 90)
            let moment = MadeUpSession.moment(0).advanced(by: interval * point)
            let location = Location(coordinate: place, timestamp: moment.wall, horizontalAccuracy: error, speed: speed)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        return statistics.motion
    }

    @Test(arguments: [(12.0, 5.0, false), (20, 5, true), (25, 15, false), (25, 332, false), (35, 332, true)])
    func `two noisy speeds do not count as motion within the radius of a standstill`(
        distance: Double, error: Double, isMotion: Bool
    ) {
        var statistics = TrackStatistics()
        let origin = Coordinate(latitude: 45, longitude: 7)
        for second in 0..<200 {
            let isNoisy = 100..<102 ~= second
            let moment = MadeUpSession.moment(second)
            let location = Location(
                coordinate: isNoisy ? origin.destination(distance: distance, bearing: 0) : origin,
                timestamp: moment.wall, horizontalAccuracy: error, speed: isNoisy ? 0.6 : 0)
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        #expect((statistics.motion.movingTime > .zero) == isMotion, "\(statistics.motion)")
    }

    @Test(arguments: [1, 5, 10], [false, true])
    func `four seconds of walking are motion, although they lead no farther than the accuracy`(
        rate: Int, beginsWithoutSpeed: Bool
    ) {
        var speeds: [Double?] = Array(repeating: 1.2, count: 4 * rate + 1)
        if beginsWithoutSpeed { speeds[0] = nil }
        let motion = motion(speeds: speeds, interval: .seconds(1) / rate)
        #expect(motion.movingTime == .seconds(4) && motion.standingTime == .zero)
        #expect(abs(motion.distance - 4.8) < 0.1, "\(motion.distance)")
        #expect(motion.speeds.maximum == 1.2)
    }

    @Test func `four seconds of a speed at one place are a standstill`() {
        let motion = motion(speeds: [1.2, 1.2, 1.2, 1.2, 1.2], moves: false)
        #expect(motion.movingTime == .zero && motion.standingTime == .seconds(4) && motion.distance == 0)
    }

    /// A Haicom 305N in gpsd's captures reports 0 every few seconds of a walk.
    @Test func `seconds that are known to have been a walk later count with their speeds`() {
        let speeds = [1, 0, 0.9, 1.2, 2.67, 0, 1.1, 0] + Array(repeating: 1.4, count: 30)
        let motion = motion(speeds: speeds, error: 40)
        #expect(motion.movingTime == .seconds(37) && motion.standingTime == .zero)
        #expect(motion.speeds.count == 38 && motion.speeds.maximum == 2.67)
        #expect(motion.distance > 45 && motion.distance < 55, "\(motion.distance)")
    }

    @Test func `seconds of rest before a walk do not count as motion, although single speeds are those of a walk`() {
        let speeds = Array(repeating: [0.7, 0, 0, 0, 0], count: 4).flatMap { $0 } + Array(repeating: 1.4, count: 30)
        let motion = motion(speeds: speeds, error: 4)
        #expect(motion.standingTime >= .seconds(18), "\(motion.standingTime)")
        #expect(motion.speeds.count <= 31)
    }
}

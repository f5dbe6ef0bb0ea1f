import LocationCore
import Testing

@testable import LocationTracks

/// The distance, time and climb of tracks whose points have no speed, and those of slow and of odd speeds.
struct WalkTests {
    private static let origin = Coordinate(latitude: 45, longitude: 7)

    /// Returns a place of a way to the north.
    private func north(_ distance: Double) -> Coordinate { Self.origin.destination(distance: distance, bearing: 0) }

    // MARK: Points without a speed

    /// Returns the motion over points at a pace in metres per second, with rests of 300 s between parts of 200 points each.
    private func motion(
        parts: Int = 1, pace: Double, error: Double?, bearing: (Int) -> Double = { _ in 0 },
        height: (Int) -> Double = { _ in 100 }
    ) -> MotionStatistics {
        var place = Self.origin
        return TrackStatistics(500 * parts - 299) { point in
            if point > 0, (point - 1) % 500 < 200 {
                place = place.destination(distance: pace, bearing: bearing(point))
            }
            return Location(coordinate: place, horizontalAccuracy: error, altitudeMSL: height(point))
        }.motion
    }

    @Test(arguments: [0.7, 1, 1.4, 5, 100], [3, 10, 30, nil])
    func `a way counts from its beginning, whatever its pace and its accuracy`(pace: Double, error: Double?) {
        let motion = motion(pace: pace, error: error)
        #expect(abs(motion.distance - 200 * pace) < 1e-3, "\(motion.distance)")
        #expect(motion.movingTime == .seconds(200) && motion.standingTime == .zero)
    }

    @Test(arguments: [1, 5, 100.0]) func `a way with corners counts along them, from its beginning`(pace: Double) {
        let motion = motion(pace: pace, error: 10, bearing: { $0 % 2 == 0 ? 90 : 0 })
        #expect(abs(motion.distance - 200 * pace) < 1e-3, "\(motion.distance)")
    }

    @Test(arguments: [1, 1.4, 5], [3, 10, 30, nil])
    func `a rest between two ways is neither distance nor time of motion`(pace: Double, error: Double?) {
        let motion = motion(parts: 2, pace: pace, error: error)
        #expect(abs(motion.distance - 400 * pace) < 2, "\(motion.distance)")
        #expect(abs(motion.standingTime.inSeconds - 300) < 6, "\(motion.standingTime)")
        #expect(motion.movingTime + motion.standingTime == .seconds(700))
    }

    @Test(arguments: [1, 100.0]) func `a climb counts from the first height, and after a gap too`(pace: Double) {
        #expect(motion(pace: pace, error: nil, height: { $0 == 0 ? 100 : 200 }).ascent == 100)
        #expect(motion(pace: pace, error: nil, height: { 100 + Double($0) }).ascent == 200)
        #expect(motion(pace: pace, error: nil, height: { 300 - Double($0) }).descent == 200)
    }

    @Test(arguments: [0.3, 0.4]) func `a slow walk that leads away has its whole distance`(pace: Double) {
        let motion = motion(pace: pace, error: 5)
        // The end of the way is shorter than the accuracy.
        #expect((200 * pace - 5.5...200 * pace).contains(motion.distance), "\(motion.distance)")
    }

    @Test func `a standstill at the beginning adds no distance, and a walk after it counts from its mean`() {
        let noise = MadeUpSession.standing(at: Self.origin, points: 600).locations.map(\.coordinate)
        let motion = TrackStatistics(700) { second in
            let place = second == 0 ? north(-20) : second < 600 ? noise[second] : north(Double(second - 599))
            // The scatter alone tells a standstill.
            return Location(coordinate: place, horizontalAccuracy: 25)
        }.motion
        #expect(abs(motion.distance - 100) < 2, "\(motion.distance)")
        #expect(abs(motion.movingTime.inSeconds - 100) < 6, "\(motion.movingTime)")
    }

    @Test(arguments: [1, 60]) func `a short move counts, and the rest behind it stands`(interval: Int) {
        let motion = TrackStatistics(60, every: .seconds(interval)) { point in
            Location(coordinate: north(point < 30 ? 0 : 8), horizontalAccuracy: 5)
        }.motion
        #expect(abs(motion.distance - 8) < 0.01, "\(motion.distance)")
        #expect(motion.movingTime <= .seconds(4 * interval))
    }

    @Test(arguments: [(nil, 10), (3, 5), (12, 12), (40, 30)] as [(Double?, Double)])
    func `a move counts beyond its accuracy, of at least 5 m and at most 30, and beyond 10 m without one`(
        error: Double?, reach: Double
    ) {
        for (distance, isMotion) in [(reach - 0.1, false), (reach + 0.1, true)] {
            let motion = TrackStatistics(60) { point in
                Location(coordinate: north(point < 30 ? 0 : distance), horizontalAccuracy: error)
            }.motion
            #expect((motion.distance > 0) == isMotion, "\(distance)")
        }
    }

    // MARK: Pauses and stops

    @Test(arguments: [20, 600, 3600], [nil, 1.4])
    func `a pause in which a watch reports nothing counts as standing, wherever it begins`(pause: Int, speed: Double?) {
        // The position before the pause is at another distance from the last anchor of the way each time.
        for length in 100..<115 {
            let motion = TrackStatistics(2 * length, at: { .seconds($0 * 2 + ($0 < length ? 0 : pause)) }) { point in
                let place = north(2.8 * Double(point < length ? point : point - 1))
                return Location(coordinate: place, altitudeMSL: 1000, speed: speed)
            }.motion
            #expect(motion.standingTime == .seconds(pause + 2), "\(length)")
            #expect(motion.movingTime == .seconds(4 * (length - 1)), "\(length)")
            #expect(abs(motion.distance - 5.6 * Double(length - 1)) < 0.01, "\(length): \(motion.distance)")
        }
    }

    /// Returns the motion of two minutes at 15 m/s, a stop, and two more minutes at 15 m/s.
    private func drive(stop: Int, interval: Int, tellsSpeed: Bool) -> MotionStatistics {
        TrackStatistics((240 + stop) / interval + 1, every: .seconds(interval)) { point in
            let second = point * interval
            let driven = min(second, 120) + max(0, second - 120 - stop)
            let speed: Double? = 120...(120 + stop) ~= second ? 0 : 15
            return Location(
                coordinate: north(Double(driven) * 15), horizontalAccuracy: 5, speed: tellsSpeed ? speed : nil)
        }.motion
    }

    @Test(arguments: [1, 5, 10, 15, 20, 30, 60], [false, true])
    func `a stop between two ways counts as standing at any interval`(interval: Int, tellsSpeed: Bool) {
        let motion = drive(stop: 300, interval: interval, tellsSpeed: tellsSpeed)
        let error = Duration.seconds(2 * max(interval, 5))
        #expect(abs(motion.distance - 3600) < 1)
        #expect(motion.standingTime > .seconds(300) - error && motion.standingTime <= .seconds(300))
        #expect(motion.movingTime + motion.standingTime == .seconds(540))
    }

    @Test(arguments: [(5, 20), (1, 10), (10, 60)])
    func `a short stop of reported speeds counts as standing from its beginning`(interval: Int, stop: Int) {
        let motion = drive(stop: stop, interval: interval, tellsSpeed: true)
        #expect(abs(motion.distance - 3600) < 1)
        #expect(motion.standingTime >= .seconds(stop - 2 * interval))
    }

    @Test func `speeds that are reported at rest only take no time from the way`() {
        // Twice a rest of ten seconds with speeds, and twenty seconds at 5 m/s without.
        let motion = TrackStatistics(60) { second in
            let (round, phase) = (second / 30, second % 30)
            let place = north(Double(round * 20 + max(0, phase - 10)) * 5)
            return Location(coordinate: place, horizontalAccuracy: 5, speed: phase <= 10 ? 0 : nil)
        }.motion
        #expect(motion.movingTime + motion.standingTime == .seconds(59))
        #expect(motion.movingTime >= .seconds(36) && motion.movingTime <= .seconds(42), "\(motion.movingTime)")
        #expect(motion.distance > 180 && motion.distance <= motion.rawDistance + 1e-3, "\(motion.distance)")
    }

    // MARK: Points that are far apart in time, and times that are not those of the reports

    /// Returns the motion over twenty points with a reported speed, each a time and a step after the one before.
    private func motion(speed: Double, step: Double, seconds: Int, jump: Double = 0) -> MotionStatistics {
        TrackStatistics(20, every: .seconds(seconds)) { point in
            let place = north(step * Double(point) + (point < 10 ? 0 : jump))
            return Location(coordinate: place, horizontalAccuracy: 5, speed: speed)
        }.motion
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
        let jumped = motion(speed: 0, step: 0, seconds: 11, jump: 50_000)
        #expect(jumped.distance == 0 && jumped.rawDistance > 49_000, "\(jumped)")
    }

    /// Returns the motion of a walk whose reports come at other times than they were made.
    private func walk(_ count: Int, at time: (Int) -> Duration) -> MotionStatistics {
        TrackStatistics(count, at: time) { second in
            Location(
                coordinate: north(Double(second) * 1.4), timestamp: MadeUpSession.moment(second).wall,
                horizontalAccuracy: 5, speed: 1.4)
        }.motion
    }

    @Test(arguments: [1, 2, 8]) func `a recording that was made faster than the receiver reported has its whole way`(
        rate: Int
    ) throws {
        let motion = walk(61) { .seconds($0) / rate }
        #expect(abs(motion.distance - 84) < 0.1)
        #expect(abs(try #require(motion.averageMovingSpeed) - 1.4) < 0.01)
        #expect(motion.movingTime == .seconds(60))
    }

    @Test func `reports in bursts have the speed at which they were made`() throws {
        let motion = walk(300) { .seconds($0 / 5 * 5) }
        #expect(abs(try #require(motion.averageMovingSpeed) - 1.4) < 0.05)
        #expect(abs(motion.distance - 418.6) < 3)
    }

    // MARK: Single speeds

    /// Returns the motion of a receiver that reports its speed each interval.
    private func motion(
        speeds: [Double?], interval: Duration = .seconds(1), error: Double = 10, moves: Bool = true
    ) -> MotionStatistics {
        var place = Self.origin
        return TrackStatistics(speeds.count, every: interval) { point in
            let step = point > 0 && moves ? (speeds[point] ?? 0) * interval.inSeconds : 0
            place = place.destination(distance: step, bearing: 90)
            return Location(coordinate: place, horizontalAccuracy: error, speed: speeds[point])
        }.motion
    }

    @Test(arguments: [(12.0, 5.0, false), (20, 5, true), (25, 15, false), (25, 332, false), (35, 332, true)])
    func `two noisy speeds do not count as motion within the radius of a standstill`(
        distance: Double, error: Double, isMotion: Bool
    ) {
        let motion = TrackStatistics(200) { second in
            let isNoisy = 100..<102 ~= second
            return Location(
                coordinate: north(isNoisy ? distance : 0), horizontalAccuracy: error, speed: isNoisy ? 0.6 : 0)
        }.motion
        #expect((motion.movingTime > .zero) == isMotion, "\(motion)")
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

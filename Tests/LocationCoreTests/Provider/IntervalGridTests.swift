import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct IntervalGridTests {
    /// The receiver's time of a fix, if it has one, and that of its arrival, in seconds.
    private typealias Fix = (own: Double?, arrival: Double)

    /// Returns the fixes that pass, by their place in the list.
    private func passing(_ interval: Duration, _ times: [Fix]) -> [Int] {
        var grid = IntervalGrid(interval)
        return times.enumerated().compactMap { index, fix in
            let time = IntervalGrid.Time(fix.own.map { moment($0).wall }, arrival: moment(fix.arrival).elapsed)
            grid.note(time)
            guard grid.admits(time) else { return nil }
            grid.pass(time)
            return index
        }
    }

    private func own(_ times: [Double]) -> [Fix] { times.map { ($0, $0) } }

    @Test(arguments: [0.02, 0.2, 0.45])
    func `an interval of a second loses nothing at one hertz, whatever the jitter of the times`(jitter: Double) {
        var generator = SplitMix64(seed: 3)
        let times: [Double] = (0..<500).map { (number: Int) -> Double in
            let share = Double(generator.next() % 2001) / 1000 - 1
            return Double(number) + share * jitter / 2
        }
        #expect(passing(.seconds(1), own(times)).count == 500)
    }

    @Test func `the delay of the reports on their way does not matter`() {
        let held = (0..<20).map { (number: Int) -> Fix in
            (Double(number), Double(number / 5 * 5 + 5) + Double(number % 5) / 1000)
        }
        #expect(passing(.seconds(1), held).count == 20)
        #expect(passing(.seconds(5), held) == [0, 5, 10, 15])
    }

    @Test func `a fix in ten seconds passes of a receiver at one hertz, and the nearest one to the grid`() {
        let times: [Double] = (0..<60).map { (number: Int) -> Double in
            number > 0 && number % 10 == 0 ? Double(number) - 0.05 : Double(number)
        }
        #expect(passing(.seconds(10), own(times)) == [0, 10, 20, 30, 40, 50])
    }

    @Test func `of a receiver that reports three times in two intervals two pass, at the pace of the grid`() {
        let times: [Double] = (0..<30).map { Double($0) * 0.7 }
        let passed = passing(.seconds(1), own(times))
        #expect(19...22 ~= passed.count)
    }

    @Test func `a receiver that is slower than the interval loses nothing`() {
        #expect(passing(.seconds(2), own(stride(from: 0.0, to: 120, by: 3).map { $0 })).count == 40)
    }

    @Test func `after a pause the grid begins anew`() {
        let times = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57]
        #expect(passing(.seconds(10), own(times)) == [0, 10, 11, 21])
    }

    @Test func `fixes without a time go by their arrival`() {
        let times = (0..<21).map { (number: Int) -> Fix in (nil, Double(number)) }
        #expect(passing(.seconds(5), times) == [0, 5, 10, 15, 20])
    }

    @Test func `a clock that is set back does not silence a receiver, nor let more through`() {
        let times = (0..<60).map { (number: Int) -> Fix in
            (Double(number < 30 ? number : number - 25), Double(number))
        }
        #expect(passing(.seconds(10), times) == [0, 10, 20, 30, 40, 50])
        // A clock that goes to and fro is judged by the session's.
        let wild = (0..<60).map { (number: Int) -> Fix in (number % 2 == 0 ? 0 : 50_000, Double(number)) }
        #expect(passing(.seconds(10), wild).count <= 10)
    }

    @Test func `an interval of zero lets everything through, and an enormous one the first`() {
        let times = own(stride(from: 0.0, to: 4.95, by: 0.1).map { $0 })
        #expect(passing(.zero, times).count == 50)
        #expect(passing(.seconds(100 * 365 * 86_400), times) == [0])
        #expect(passing(.nanoseconds(1), times).count == 50)
    }

    @Test func `the ends of time do not overflow`() {
        var grid = IntervalGrid(.seconds(1))
        for nanoseconds in [Int64.min, .max, 0, .max, .min, 5] {
            let time = IntervalGrid.Time(Timestamp(nanosecondsSince1970: nanoseconds), arrival: .seconds(Int64(1e10)))
            grid.note(time)
            if grid.admits(time) { grid.pass(time) }
        }
        #expect(grid.admits(IntervalGrid.Time(nil, arrival: .seconds(Int64(1e10) + 1))))
    }

    @Test func `a distance that holds a fix back leaves its slot to the next one`() {
        var filter = LocationFilter(LocationRequest(distanceFilter: 200, minimumInterval: .seconds(2)))
        let places = [0, 0, 0, 2, 2, 4]
        let passed = places.enumerated().map { second, place in
            let location = Sample.numbered(place).with { $0.timestamp = .testEpoch.advanced(by: .seconds(second)) }
            return filter.admits(LocationUpdate(.location(location), at: .after(.seconds(second))))
        }
        #expect(passed == [true, false, false, true, false, true])
    }
}

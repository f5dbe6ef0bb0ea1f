import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// Errors of first order: their likeness falls with the time between them to 1/e within the correlation time.
struct FirstOrderErrors {
    private var random: SplitMix64
    private let correlationTime: Double
    private var state: (east: Double, north: Double, up: Double)

    /// Creates errors of one metre along each axis.
    init(correlationTime: Double, seed: Int) {
        self.correlationTime = correlationTime
        random = SplitMix64(seed: UInt64(seed), stream: UInt64(correlationTime))
        state = (random.normal(), random.normal(), random.normal())
    }

    /// Returns the current error, and passes so many seconds.
    mutating func next(after seconds: Double) -> (east: Double, north: Double, up: Double) {
        defer {
            let kept = exp(-seconds / correlationTime)
            let new = (1 - kept * kept).squareRoot()
            state.east = kept * state.east + new * random.normal()
            state.north = kept * state.north + new * random.normal()
            state.up = kept * state.up + new * random.normal()
        }
        return state
    }
}

@Suite struct MeanErrorTests {
    /// The results of sessions of receivers that stand still at a known place.
    struct Trials: CustomStringConvertible {
        var sessions = 0
        var told = 0
        var held = 0
        var toldHeights = 0
        var heldHeights = 0

        var share: Double { Double(held) / Double(max(1, told)) }
        var shareOfHeights: Double { Double(heldHeights) / Double(max(1, toldHeights)) }
        var description: String {
            "told \(told) of \(sessions), held \(held); heights told \(toldHeights), held \(heldHeights)"
        }
    }

    /// Runs sessions whose errors are of first order, with 300 positions each.
    private func trials(_ correlationTime: Double, minutes: Double) -> Trials {
        var trials = Trials()
        for seed in 0..<400 {
            var errors = FirstOrderErrors(correlationTime: correlationTime, seed: seed)
            var blocks = ErrorBlocks()
            var sum = (east: 0.0, north: 0.0, up: 0.0)
            let interval = minutes * 60 / 300
            for step in 0...300 {
                let error = errors.next(after: interval)
                blocks.process(
                    GroundOffset(east: error.east, north: error.north), up: error.up, at: Double(step) * interval)
                sum = (sum.east + error.east, sum.north + error.north, sum.up + error.up)
            }
            trials.sessions += 1
            guard let error = MeanError(blocks) else { continue }
            trials.told += 1
            let distance = (sum.east * sum.east + sum.north * sum.north).squareRoot() / 301
            if distance <= error.radius { trials.held += 1 }
            guard let vertical = error.vertical else { continue }
            trials.toldHeights += 1
            if abs(sum.up) / 301 <= vertical { trials.heldHeights += 1 }
        }
        return trials
    }

    /// The sessions of at least eighteen correlation times.
    @Test(
        arguments: ([
            (20, 10), (66, 40), (20, 20), (20, 40), (20, 120), (66, 20), (66, 120), (300, 120),
        ] as [(Double, Double)]).prefix(Coverage.cases(8)))
    func `the radius holds the true place in 90 to 98 percent of the sessions in which it is given`(
        _ correlationTime: Double, minutes: Double
    ) {
        let trials = trials(correlationTime, minutes: minutes)
        #expect(trials.told >= 100, "\(trials)")
        #expect(0.9...0.98 ~= trials.share, "\(trials)")
        #expect(trials.toldHeights >= 40 && 0.88...0.98 ~= trials.shareOfHeights, "\(trials)")
    }

    /// The sessions of less than ten correlation times, of which no estimate of the correlation time is certain.
    @Test(arguments: ([(66, 10), (300, 10), (300, 20), (300, 40)] as [(Double, Double)]).prefix(Coverage.cases(4)))
    func `a session of less than ten correlation times is too short to tell`(
        _ correlationTime: Double, minutes: Double
    ) {
        let trials = trials(correlationTime, minutes: minutes)
        #expect(trials.told <= 12, "\(trials)")
        #expect(trials.told - trials.held <= 4, "\(trials)")
    }

    @Test func `less than eight minutes are too short to tell, however many positions there are`() {
        var errors = FirstOrderErrors(correlationTime: 1, seed: 1)
        var blocks = ErrorBlocks()
        for step in 0..<4790 {
            let error = errors.next(after: 0.1)
            blocks.process(GroundOffset(east: error.east, north: error.north), up: nil, at: Double(step) / 10)
        }
        #expect(MeanError(blocks) == nil)
        for step in 4790...4800 {
            let error = errors.next(after: 0.1)
            blocks.process(GroundOffset(east: error.east, north: error.north), up: nil, at: Double(step) / 10)
        }
        #expect(MeanError(blocks).map { 0.05...0.3 ~= $0.radius && $0.vertical == nil } == true)
    }

    @Test func `a receiver that holds one place tells nothing about its error`() {
        var blocks = ErrorBlocks()
        for second in 0...7200 { blocks.process(GroundOffset(east: 1.5, north: 0), up: 3, at: Double(second)) }
        #expect(MeanError(blocks) == nil)
    }

    @Test(arguments: [0.1, 1, 5, 60]) func `the radius does not depend on how often a receiver reports`(
        interval: Double
    ) throws {
        var errors = FirstOrderErrors(correlationTime: 30, seed: 4)
        var blocks = ErrorBlocks()
        var time = 0.0
        while time <= 7200 {
            let error = errors.next(after: interval)
            blocks.process(GroundOffset(east: error.east, north: error.north), up: error.up, at: time)
            time += interval
        }
        let error = try #require(MeanError(blocks))
        // For positions of a minute each, the errors between them are not seen.
        #expect(0.15...0.45 ~= error.radius && error.correlationTime < 120, "\(error)")
    }

    @Test func `blocks take bounded memory for any time, and a time that goes back or is not a number is the last one`()
    {
        var blocks = ErrorBlocks()
        for time in [0, 1, 1e6, .nan, -5, .infinity, 1e18, 3] {
            blocks.process(GroundOffset(east: 1, north: 2), up: nil, at: time)
        }
        #expect(blocks.blocks.count <= ErrorBlocks.limit && blocks.end == 1e18)
        #expect(blocks.blocks.reduce(0) { $0 + $1.count } == 8)
        #expect(MeanError(blocks) == nil)
    }

    @Test(arguments: [(5.0, 2.571), (6.5, 2.401), (10, 2.228), (30, 2.042), (1000, 1.962)])
    func `quantiles of Student's t are those of tables`(freedom: Double, quantile: Double) {
        #expect(abs(MeanError.studentQuantile(freedom) - quantile) < 0.002)
    }

    @Test(arguments: [(20, 10), (66, 40), (300, 120)] as [(Double, Double)])
    func `the correlation and the radius are those of numpy's covariance matrices`(
        _ correlationTime: Double, minutes: Double
    ) throws {
        var compared = 0
        for seed in 0..<5 {
            var errors = FirstOrderErrors(correlationTime: correlationTime, seed: seed)
            var blocks = ErrorBlocks()
            var text = ""
            for step in 0...Int(minutes * 12) {
                let (error, time) = (errors.next(after: 5), Double(step) * 5)
                blocks.process(GroundOffset(east: error.east, north: error.north), up: error.up, at: time)
                text += "\(time) \(error.east) \(error.north)\n"
            }
            let output = try Tool.output(
                of: ["/usr/bin/python3", Tool.oracle("mean_error.py")], input: text)
            let numbers = output.split(separator: " ").compactMap { Double($0.filter { !$0.isWhitespace }) }
            try #require(numbers.count == 2, "\(output)")
            guard numbers[0] >= 22 else {
                #expect(MeanError(blocks) == nil)
                continue
            }
            let error = try #require(MeanError(blocks))
            compared += 1
            #expect(abs(error.correlationTimes / numbers[0] - 1) < 1e-6, "\(error) \(numbers)")
            #expect(abs(error.radius / numbers[1] - 1) < 1e-6, "\(error) \(numbers)")
        }
        #expect(compared >= 2)
    }
}

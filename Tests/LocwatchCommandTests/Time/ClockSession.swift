import LocationCore
import LocationTesting
import LocationTracks

@testable import LocwatchCommand

/// Comparisons of clocks for the tests of `time`.
enum ClockSession {
    static let device = "/dev/ttyS0"

    static func sample(
        _ source: ClockSample.Source, second: Int, offset: Int64, unit: Int? = nil, device: String? = device,
        quantizationError: Int? = nil
    ) -> ClockSample {
        let time = ScriptedSession.time(Double(second))
        return ClockSample(
            source, device: device, receiverTime: time, hostTime: time.advanced(by: .nanoseconds(offset)),
            precision: source == .pulse ? -20 : -1, quantizationError: quantizationError, sharedMemoryUnit: unit)
    }

    /// Returns the clocks of a session with one comparison of each kind in a second.
    static func clocks(
        seconds: Int = 60, pulse: ((Int) -> Int64)?, message: ((Int) -> Int64)?, units: Bool = true,
        device: String? = device
    ) -> ClockStatistics {
        var clocks = ClockStatistics()
        for second in 0..<seconds {
            for (source, offset, unit) in [(ClockSample.Source.pulse, pulse, 1), (.message, message, 0)] {
                guard let offset = offset?(second) else { continue }
                let sample = sample(source, second: second, offset: offset, unit: units ? unit : nil, device: device)
                clocks.process(.clock(sample), at: ScriptedSession.moment(Double(second)))
            }
        }
        return clocks
    }

    /// Offsets that go up and down by some nanoseconds around a mean.
    static func around(_ mean: Int64, by jitter: Int64) -> (Int) -> Int64 {
        { second in mean + (second % 2 == 0 ? jitter : -jitter) }
    }

    /// The script of a session with a position and a comparison of each kind in a second.
    static func script(
        seconds: Int, pulses: Range<Int>, message: Int64 = 146_200_000, device: String = device
    ) -> [ScriptStep] {
        var script: [ScriptStep] = [.location(45, 7)]
        for second in 0..<seconds {
            if pulses.contains(second) {
                script.append(.clock(sample(.pulse, second: second, offset: 3_200_000, unit: 1, device: device)))
            }
            script.append(.clock(sample(.message, second: second, offset: message, unit: 0, device: device)))
            script += [.location(45, 7), .wait(.seconds(1))]
        }
        return script
    }
}

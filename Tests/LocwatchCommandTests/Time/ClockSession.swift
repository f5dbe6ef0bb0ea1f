import LocationCore
import LocationTesting

/// Comparisons of clocks for the tests of `time`.
enum ClockSession {
    static let device = "/dev/ttyS0"

    static func sample(
        _ source: ClockSample.Source, second: Int, offset: Int64, unit: Int? = nil, device: String? = device
    ) -> ClockSample {
        let time = ScriptedSession.time(Double(second))
        return ClockSample(
            source, device: device, receiverTime: time, hostTime: time.advanced(by: .nanoseconds(offset)),
            precision: source == .pulse ? -20 : -1, sharedMemoryUnit: unit)
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

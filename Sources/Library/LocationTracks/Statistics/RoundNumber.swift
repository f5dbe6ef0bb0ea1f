import Glibc
import LocationCore

/// Round numbers for axes.
enum RoundNumber {
    /// Returns the greatest of 1, 2, 5, 10, 20, 50, … and their tenths that is not greater than a value.
    static func below(_ value: Double) -> Double {
        // A power of ten loses digits among subnormal numbers.
        guard value >= Double.leastNormalMagnitude, value.isFinite else { return 1 }
        let power = pow(10, log10(value).rounded(.down))
        let digit = [5.0, 2].first { value / power >= $0 } ?? 1
        return digit * power
    }

    /// Returns the marks of an axis from 0 on, at most 20 for any numbers.
    static func marks(upTo highest: Double, every step: Double) -> [Double] {
        guard step > 0 else { return [0] }
        return (0..<20).map { Double($0) * step }.filter { $0 <= highest }
    }

    /// Returns a number with about three digits.
    static func text(_ value: Double) -> String {
        let size = abs(value)
        return TextBuffer.text { $0.put(trimmed: value, decimals: [100.0, 10].firstIndex { size >= $0 } ?? 2) }
    }

    /// Returns a duration as `h:mm:ss`, or as `m:ss` below an hour.
    static func clock(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        let (minutes, rest) = (seconds / 60 % 60, DecimalText.padded(seconds % 60, to: 2))
        return seconds >= 3600
            ? "\(seconds / 3600):\(DecimalText.padded(minutes, to: 2)):\(rest)" : "\(minutes):\(rest)"
    }

    /// Returns a round step of time of which at most `count` make up a duration.
    static func step(of duration: Duration, atMost count: Int) -> Duration {
        let liked = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400]
        for seconds in liked where duration <= .seconds(seconds * count) { return .seconds(seconds) }
        let days = Int(duration.components.seconds) / 86_400 / max(1, count) + 1
        return .seconds(days * 86_400)
    }
}

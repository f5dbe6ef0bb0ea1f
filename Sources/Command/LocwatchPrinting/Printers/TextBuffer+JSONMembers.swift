import LocationCore
package import LocwatchTerminal

extension TextBuffer {
    /// Appends a latitude or longitude.
    package mutating func member(_ key: StaticString, _ number: Double, _ precision: Precision) {
        switch precision {
        case .decimals(let decimals): member(key, number, decimals: decimals)
        case .full: member(key, number)
        }
    }

    mutating func members(of reason: SearchReason) {
        switch reason {
        case .starting, .unanswered, .noDevice, .unsuitable: break
        case .connecting(let attempt): member("attempt", attempt)
        case .connected(let release): member("release", release)
        case .noFix(let seen, let used, let best):
            member("seen", seen)
            member("used", used)
            member("best", best)
        case .deviceLost(let path), .deviceUnopenable(let path), .deviceSilent(let path), .deviceBabbling(let path):
            member("path", path)
        case .silent(let duration): member("silence", duration)
        }
    }
}

import LocationCore
import LocationGPSD

/// Why there is no position, in words.
struct ReasonText {
    /// Without the receiver it is about.
    let words: String
    /// Whether the words already name the receiver.
    let namesDevice: Bool

    /// - Parameter source: where the session comes from, where that is to be said.
    init(_ reason: SearchReason, source: SourceWord? = nil) {
        namesDevice =
            switch reason {
            case .deviceLost, .deviceUnopenable, .deviceSilent, .deviceBabbling: true
            default: false
            }
        let place = source?.place.printable
        words =
            switch reason {
            case .starting: "starting"
            case .connecting(let attempt):
                "connecting" + (place.map { " to \($0)" } ?? "") + (attempt > 1 ? ", attempt \(attempt)" : "")
            case .connected(let release): ReasonText.connected(release, source)
            case .noDevice: "the daemon has no receiver"
            case .noFix(let seen, let used, let best):
                ReasonText.list(["no fix"] + ReasonText.sky(seen: seen, used: used, best: best))
            case .deviceLost(let path): "\(path.printable) is gone"
            case .deviceUnopenable(let path): "\(path.printable) cannot be opened by the daemon"
            case .deviceSilent(let path): "\(path.printable) sends nothing readable: no power, or a wrong speed"
            case .deviceBabbling(let path):
                "\(path.printable) sends bytes that no driver knows: a wrong speed, or no receiver"
            case .silent(let duration): "nothing heard for \(duration.spoken)"
            }
    }

    /// What is seen of the sky, where it is known.
    static func sky(seen: Int?, used: Int?, best: Double?) -> [String] {
        var parts: [String] = []
        if let seen { parts.append(seen == 1 ? "1 satellite seen" : "\(seen) satellites seen") }
        if let used { parts.append("\(used) used") }
        if let best {
            var signal = TextBuffer()
            signal.put("best ")
            signal.put(fixed: best, decimals: 0)
            signal.put(" dB-Hz")
            parts.append(signal.text)
        }
        return parts
    }

    private static func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }

    private static func connected(_ release: String?, _ source: SourceWord?) -> String {
        let daemon = "gpsd" + (release.map { " \($0.printable)" } ?? "")
        return source?.source.connection(to: daemon).printable ?? "connected to \(daemon)"
    }
}

extension DeviceStatus {
    /// What is known of the receiver, as in `u-blox NEO-M8N, 9600 8N1`; `nil` if nothing is.
    var words: String? {
        var parts = [kind].compactMap(\.self)
        if let speed { parts.append("\(speed)" + (framing.map { " \($0.printable)" } ?? "")) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

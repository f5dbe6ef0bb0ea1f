package import LocationCore
package import LocwatchArguments
import LocwatchTerminal

/// The text for the reason why there is no position.
package struct ReasonText {
    /// The text, in most cases without the receiver it concerns.
    package let words: String
    /// Whether `words` names the receiver.
    package let namesDevice: Bool

    /// Creates the text for a reason.
    ///
    /// - Parameter source: the source of the session, if the text is to name it.
    package init(_ reason: SearchReason, source: SourceWord? = nil) {
        namesDevice = reason.path != nil
        let place = source?.place.printable
        words =
            switch reason {
            case .starting: "starting"
            case .connecting(let attempt):
                "connecting" + (place.map { " to \($0)" } ?? "") + (attempt > 1 ? ", attempt \(attempt)" : "")
            case .unanswered:
                "connected" + (place.map { " to \($0)" } ?? "")
                    + ", but the server sends nothing, and is perhaps not a gpsd"
            case .connected(let release): ReasonText.connected(release, source)
            case .noDevice: "gpsd has no receiver"
            case .noFix(let seen, let used, let best):
                (["no fix"] + ReasonText.sky(seen: seen, used: used, best: best)).joined(separator: ", ")
            case .unsuitable: "no position is as accurate and recent as requested"
            case .deviceLost(let path): "\(path.printable) is gone"
            case .deviceUnopenable(let path): "gpsd cannot open \(path.printable)"
            case .deviceSilent(let path) where path.isURL: "\(path.printable) sends no readable data"
            case .deviceSilent(let path): "\(path.printable) sends no readable data: no power or wrong speed"
            case .deviceBabbling(let path) where path.isURL: "\(path.printable) sends unrecognized data"
            case .deviceBabbling(let path):
                "\(path.printable) sends unrecognized data: wrong speed, or not a receiver"
            case .silent(let duration): "no report for \(duration.spoken)"
            }
    }

    /// Returns the text for the reason or the error with a code, without its values.
    package static func words(ofCode code: String) -> String {
        let path = "the receiver"
        let reasons: [SearchReason] = [
            .starting, .connecting(attempt: 1), .unanswered, .connected(release: nil), .noDevice,
            .noFix(seen: nil, used: nil, best: nil), .unsuitable, .deviceLost(path: path),
            .deviceUnopenable(path: path), .deviceSilent(path: path), .deviceBabbling(path: path),
        ]
        if let reason = reasons.first(where: { $0.code == code }) { return ReasonText(reason).words }
        return switch code {
        case "silent": "no report"
        case "connectionLost": "the connection was lost"
        case "unreachable": "gpsd cannot be reached"
        default: code.printable
        }
    }

    /// Returns the known figures of the satellites.
    package static func sky(seen: Int?, used: Int?, best: Double?) -> [String] {
        [
            seen.map { "\($0.counting("satellite")) seen" }, used.map { "\($0) used" },
            best.map { best in "best " + TextBuffer.text { $0.put(fixed: best, decimals: 0) } + " dB-Hz" },
        ].compactMap(\.self)
    }

    private static func connected(_ release: String?, _ source: SourceWord?) -> String {
        let daemon = "gpsd" + (release.map { " \($0.printable)" } ?? "")
        // A gpsd tells its release, and a broker does not.
        return source?.connection(to: daemon).printable
            ?? (release == nil ? "connected" : "connected to \(daemon)")
    }
}

extension String {
    /// Whether the name of a device is that of a stream, which has no line speed.
    fileprivate var isURL: Bool { containsBytes(of: "://") }
}

extension DeviceStatus {
    /// A description of the receiver, as in `u-blox NEO-M8N, 9600 8N1`, or `nil` if nothing is known.
    package var words: String? {
        var parts = [kind].compactMap(\.self)
        if let speed { parts.append("\(speed)" + (framing.map { " \($0.printable)" } ?? "")) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

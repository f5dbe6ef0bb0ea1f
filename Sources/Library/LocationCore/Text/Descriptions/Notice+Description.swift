extension Notice {
    /// Whether the notice is shown only with `--verbose`.
    package var isMinor: Bool {
        switch content {
        case .implausibleValue, .lastKnown, .staleAfter, .track, .leftOut: true
        case .linesSkipped, .dropped, .implausibleDate, .tornEnd, .fence, .unknownMessage, .messagesSkipped,
            .corrections,
            .message:
            false
        }
    }

    /// The text for people, which still contains control characters from outside.
    package var message: String {
        switch content {
        case .linesSkipped(1, let cause): return "skipped a line: \(cause)"
        case .linesSkipped(let count, let cause): return "skipped \(count) lines: \(cause)"
        case .dropped(let locations, let skyViews, let others):
            let parts = [
                locations == 0 ? nil : locations.counting("position"),
                skyViews == 0 ? nil : skyViews.counting("sky view"),
                others == 0 ? nil : others.counting("other line"),
            ]
            return "the output is too slow: dropped " + Self.list(parts.compactMap(\.self))
        case .implausibleDate(let date, let device):
            let receiver = device ?? "a receiver"
            return "\(receiver) reports an implausible date: \(date.formatted(fractionDigits: 0)); "
                + "an old receiver may be past a GPS week rollover"
        case .implausibleValue(let field, let device):
            return "\(device ?? "a receiver") reports an impossible value of \(field), treated as unknown"
        case .tornEnd(let bytes): return "the recording ends with an incomplete line of \(bytes) bytes"
        case .lastKnown(let location):
            let time = location.timestamp.map { " at \($0.formatted(fractionDigits: 0))" } ?? ""
            return "the last known position of \(location.device ?? "a device") is \(location.coordinate.words)\(time)"
        case .fence(let event): return "\(event.device ?? "a device") \(event.kind.words) \(event.fence)"
        case .unknownMessage(let device, let cause):
            return "\(device) sends a message that is not understood: \(cause)"
        case .messagesSkipped(1, let cause): return "skipped a message: \(cause)"
        case .messagesSkipped(let count, let cause): return "skipped \(count) messages: \(cause)"
        case .corrections(let status): return status.words
        case .staleAfter(let time): return "a position stays current for \(time) without a new one"
        case .track(let name): return name.map { "the track \($0) begins" } ?? "another track begins"
        case .leftOut(let words): return "left out: \(words)"
        case .message(let text): return text
        }
    }

    private static func list(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension Notice: CustomStringConvertible {
    /// A sentence without a full stop that says what happened, in English.
    public var description: String { VisibleText.of(message) }
}

extension CorrectionsStatus {
    /// A sentence without a full stop, which still contains control characters from outside.
    fileprivate var words: String {
        guard let fault else { return "corrections arrive from \(source)" }
        return "no corrections from \(source): \(cause ?? fault.rawValue)"
    }
}

extension FenceEvent.Kind {
    /// The kind as a verb, which the name of a fence follows.
    package var words: String {
        switch self {
        case .enter: "entered"
        case .inside: "inside"
        case .outside: "outside"
        case .exit: "exited"
        case .dwell: "still in"
        case .undecided: "too inaccurate for"
        }
    }
}

extension Coordinate {
    /// The latitude and the longitude in degrees, with five decimals.
    fileprivate var words: String {
        var text = TextBuffer()
        text.put(fixed: latitude, decimals: 5)
        text.put(", ")
        text.put(fixed: longitude, decimals: 5)
        return text.text
    }
}

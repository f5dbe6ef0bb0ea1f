import LocationCore

extension Notice {
    /// A short stable word for programs.
    var code: String {
        switch self {
        case .linesSkipped: "linesSkipped"
        case .dropped: "dropped"
        case .implausibleDate: "implausibleDate"
        case .implausibleValue: "implausibleValue"
        case .tornEnd: "tornEnd"
        case .message: "message"
        }
    }

    /// Whether only `--verbose` shows it.
    var isMinor: Bool { if case .implausibleValue = self { true } else { false } }

    /// What it says, for people; control characters that came from outside are still in it.
    var message: String {
        switch self {
        case .linesSkipped(1, let cause): return "skipped a line: \(cause)"
        case .linesSkipped(let count, let cause): return "skipped \(count) lines: \(cause)"
        case .dropped(let locations, let skyViews, let others):
            let parts = [
                locations == 0 ? nil : locations == 1 ? "1 position" : "\(locations) positions",
                skyViews == 0 ? nil : skyViews == 1 ? "1 sky view" : "\(skyViews) sky views",
                others == 0 ? nil : others == 1 ? "1 other line" : "\(others) other lines",
            ]
            return "the output is too slow: dropped " + EnglishList.and(parts.compactMap(\.self))
        case .implausibleDate(let date, let device):
            let whose = device.map { "the date of \($0)" } ?? "the date"
            return "\(whose) cannot be right: \(date.formatted(fractionDigits: 0)); "
                + "an old receiver may count weeks from the wrong year"
        case .implausibleValue(let field, let device):
            return "\(device ?? "a receiver") reports a value of \(field) that cannot be; it counts as unknown"
        case .tornEnd(let bytes): return "the recording ends in the middle of a line, after \(bytes) bytes of it"
        case .message(let text): return text
        }
    }
}

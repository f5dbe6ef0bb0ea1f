package enum DurationText {
    private static let nanoseconds: [String: Double] = [
        "ms": 1e6, "": 1e9, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 86_400e9,
    ]

    /// Returns a duration such as 250ms, 10s, 1.5m or 1h30m, or `nil`; a bare number is in seconds.
    package static func read(_ text: String) -> Duration? {
        var rest = text[...]
        var total = 0.0
        var parts = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let value = PlainNumber.read(number), let scale = nanoseconds[unit.lowercased()],
                // Only a single number can omit the unit.
                !unit.isEmpty || parts == 0 && rest.isEmpty
            else { return nil }
            total += value * scale
            parts += 1
        }
        // The limit of 100 years is far below the point at which the arithmetic overflows.
        guard parts > 0, total <= 100 * 365.25 * 86_400e9 else { return nil }
        return .nanoseconds(Int64(clamping: total.rounded()))
    }
}

package import LocationCore

/// A plain decimal number: digits with at most one point, without the other forms that `Double` accepts.
enum PlainNumber {
    static func read(_ text: some StringProtocol, signed: Bool = false) -> Double? {
        let digits = signed && (text.hasPrefix("-") || text.hasPrefix("+")) ? text.dropFirst() : text[...]
        guard digits.utf8.contains(where: { 0x30...0x39 ~= $0 }),
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }), let value = Double(text),
            value.isFinite
        else { return nil }
        return value
    }

    /// Returns a number and the unit that follows it.
    static func quantity(_ text: some StringProtocol) -> (number: Double, unit: String)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let value = PlainNumber.read(number) else { return nil }
        return (value, text.dropFirst(number.count).drop { $0 == " " }.lowercased())
    }
}

extension ValueSyntax where Value == Int {
    package static func wholeNumber(_ placeholder: String, in range: ClosedRange<Int>) -> ValueSyntax {
        let allowed =
            range.upperBound == .max
            ? "a whole number of at least \(range.lowerBound)"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ValueSyntax(placeholder, allowed: allowed) { text in
            guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), range ~= number
            else { return nil }
            return number
        }
    }
}

extension ValueSyntax where Value == Duration {
    /// Returns the syntax of a duration such as 250ms, 10s, 1.5m or 1h30m; a bare number is in seconds.
    package static func duration(atLeast least: Duration = .milliseconds(1)) -> ValueSyntax {
        let floor = least == .zero ? "" : ", at least 1ms"
        let form = "a duration such as 250ms, 10s, 5m or 1h\(floor)"
        return ValueSyntax("DURATION", allowed: form) { text in
            guard let value = DurationText.read(text), value >= least else { return nil }
            return value
        }
    }
}

/// A parser of durations.
enum DurationText {
    private static let nanoseconds: [String: Double] = [
        "ms": 1e6, "": 1e9, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 86_400e9,
    ]

    static func read(_ text: String) -> Duration? {
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

extension ValueSyntax where Value == Double {
    /// The syntax of an angle from 1 to 180 degrees.
    package static let degrees = ValueSyntax("DEGREES", allowed: "degrees from 1 to 180") { text in
        PlainNumber.read(text).flatMap { 1...180 ~= $0 ? $0 : nil }
    }

    private static let metresPerUnit: [String: Double] = [
        "": 1, "m": 1, "km": 1000, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852,
    ]

    package static func metres(above least: Double? = 0) -> ValueSyntax {
        let form = "a length in metres such as 50, 0.5km, 160ft, 1mi or 2nmi"
        return ValueSyntax("METRES", allowed: least == nil ? form : "\(form), more than 0") { text in
            guard let (number, unit) = PlainNumber.quantity(text), let scale = metresPerUnit[unit] else { return nil }
            let metres = number * scale
            return metres <= 1e9 && (least.map { metres > $0 } ?? true) ? metres : nil
        }
    }
}

extension ValueSyntax where Value == Double {
    /// The syntax of a speed, such as 50km/h.
    package static let speed = ValueSyntax("SPEED", allowed: SpeedText.allowed) { SpeedText.read($0) }
}

/// A parser of speeds.
enum SpeedText {
    static let allowed = "a speed such as 50km/h, 14m/s, 30mph or 10kn, more than 0"

    private static let metresPerSecond: [String: Double] = [
        "m/s": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "kn": 1852.0 / 3600,
        "kt": 1852.0 / 3600,
    ]

    /// Returns a speed in metres per second, or `nil` if the text is not one; a number without a unit is not.
    static func read(_ text: String) -> Double? {
        guard let (number, unit) = PlainNumber.quantity(text), let scale = metresPerSecond[unit] else { return nil }
        let speed = number * scale
        return speed > 0 && speed <= 10_000 ? speed : nil
    }
}

extension ValueSyntax where Value == Fence {
    /// The syntax `NAME=LAT,LON,RADIUS`.
    package static let fence = ValueSyntax("NAME=LAT,LON,RADIUS") { text in
        func wrong(_ allowed: String) -> Result<Fence, ValueError> { .failure(ValueError(allowed: allowed)) }
        let form = "a fence such as home=45.0703,7.6869,150 (name, latitude, longitude, radius in metres)"
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return wrong(form) }
        let parts = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        guard parts.count == 3, let latitude = PlainNumber.read(parts[0], signed: true),
            let longitude = PlainNumber.read(parts[1], signed: true)
        else { return wrong(form) }
        guard let center = Coordinate(checking: latitude, longitude) else {
            return wrong("a latitude from -90 to 90 and a longitude from -180 to 180")
        }
        guard case .success(let radius) = ValueSyntax<Double>.metres().read(String(parts[2])),
            let fence = try? Fence(name: String(text[..<equals]), shape: .circle(center: center, radius: radius))
        else { return wrong("a radius in metres, more than 0") }
        return .success(fence)
    }
}

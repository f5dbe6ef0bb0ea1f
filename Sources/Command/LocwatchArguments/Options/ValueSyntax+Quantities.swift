package import LocationCore
package import LocationTracks

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
        let shortest = least < .seconds(1) ? "1ms" : "\(least.components.seconds)s"
        let floor = least == .zero ? "" : ", at least \(shortest)"
        let form = "a duration such as 250ms, 10s, 5m or 1h\(floor)"
        return ValueSyntax("DURATION", allowed: form) { text in
            guard let value = DurationText.read(text), value >= least else { return nil }
            return value
        }
    }
}

extension ValueSyntax where Value == Double {
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

enum SpeedText {
    static let allowed = "a speed in metres per second such as 14, 50km/h, 30mph or 10kn, more than 0"

    private static let metresPerSecond: [String: Double] = [
        "": 1, "m/s": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "kn": 1852.0 / 3600,
        "kt": 1852.0 / 3600,
    ]

    /// Returns a speed in metres per second, or `nil` if the text is not one.
    static func read(_ text: String) -> Double? {
        guard let (number, unit) = PlainNumber.quantity(text), let scale = metresPerSecond[unit] else { return nil }
        let speed = number * scale
        return speed > 0 && speed <= 10_000 ? speed : nil
    }
}

extension ValueSyntax where Value == Fence {
    /// The syntax `NAME=PLACE,RADIUS` or `NAME=here,RADIUS`, with the time that counts as staying and the margin after it.
    package static let fence = ValueSyntax("NAME=PLACE,RADIUS[,DWELL][,margin=METRES]") {
        text throws(UsageError) in
        let wrong = UsageError(
            allowed:
                "a fence such as home=45.0703,7.6869,150 (name, latitude, longitude, radius in metres), "
                + "home=8FQ93MCP+4Q,150 or anchor=here,40"
        )
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { throw wrong }
        var parts = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }[...]
        var center: Coordinate?
        if parts.first == "here" {
            parts = parts.dropFirst()
        } else {
            center = try ReferencePoint(at: &parts).coordinate
        }
        guard let last = parts.popFirst() else { throw wrong }
        guard let radius = try? ValueSyntax<Double>.metres().read(String(last)),
            var fence = try? Fence(
                name: String(text[..<equals]),
                shape: center.map { .circle(center: $0, radius: radius) } ?? .anchor(radius: radius))
        else { throw UsageError(allowed: "a radius in metres, more than 0") }
        let marginPrefix = "margin="
        if let part = parts.last, part.hasPrefix(marginPrefix) {
            let value = String(part.dropFirst(marginPrefix.count))
            guard let margin = try? ValueSyntax<Double>.metres(above: nil).read(value) else {
                throw UsageError(
                    allowed: "a length such as 5 or 15ft after margin=, the distance outside that counts as drift")
            }
            fence.margin = margin
            parts = parts.dropLast()
        }
        guard parts.count <= 1 else { throw wrong }
        if let part = parts.first {
            guard let dwell = try? ValueSyntax<Duration>.duration().read(String(part)) else {
                throw UsageError(
                    allowed: "a duration such as 10m after the radius, the time that counts as staying")
            }
            fence.dwellAfter = dwell
        }
        return fence
    }
}

extension ValueSyntax where Value == ReferencePoint {
    package static let reference = ValueSyntax("PLACE[,HEIGHT]") { text throws(UsageError) in
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }[...]
        let point = try ReferencePoint(at: &parts)
        guard let height = parts.popFirst() else { return point }
        let isBelow = height.hasPrefix("-")
        let size = try? ValueSyntax<Double>.metres(above: nil).read(String(isBelow ? height.dropFirst() : height))
        guard parts.isEmpty, let size, ReferencePoint.heights ~= (isBelow ? -size : size) else {
            throw UsageError(
                allowed: "a height above sea level such as 264, 264m or -1400ft, from -12km to 100km")
        }
        return ReferencePoint(point.coordinate, height: isBelow ? -size : size)
    }
}

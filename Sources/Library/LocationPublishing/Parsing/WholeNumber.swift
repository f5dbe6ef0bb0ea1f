import LocationCore

extension Double {
    /// The nearest integer, or `nil` if the number is so large that it cannot be a measurement.
    var wholeNumber: Int? { magnitude < 1e9 ? Int(clamping: rounded()) : nil }
}

extension Location {
    var plausibleAccuracy: Double? { horizontalAccuracy.flatMap { $0 >= 0 ? $0 : nil } }

    var plausibleVerticalAccuracy: Double? { verticalAccuracy.flatMap { $0 >= 0 ? $0 : nil } }

    var plausibleSpeed: Double? { speed.flatMap { $0 >= 0 ? $0 : nil } }

    var plausibleCourse: Double? { course.flatMap { 0...360 ~= $0 ? $0 : nil } }
}

extension Timestamp {
    /// The whole seconds since 1970, rounded down also before 1970.
    var wholeSeconds: Int { Int(floorDivision(by: 1_000_000_000)) }

    /// The whole milliseconds since 1970, rounded down also before 1970.
    var wholeMilliseconds: Int { Int(floorDivision(by: 1_000_000)) }

    private func floorDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = nanosecondsSince1970.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

import LocationCore

/// Lengths, speeds and durations as people read them.
extension Units {
    private static let feetPerMetre = 1 / 0.3048

    /// Converts a length of the size of an accuracy or an altitude to the unit for it.
    package func length(_ metres: Double) -> (value: Double, unit: String) {
        switch self {
        case .metric, .nautical: (metres, "m")
        case .imperial: (metres * Units.feetPerMetre, "ft")
        }
    }

    /// The unit of long distances, with its length in metres.
    package var distance: (metres: Double, unit: String) {
        switch self {
        case .metric: (1000, "km")
        case .imperial: (1609.344, "mi")
        case .nautical: (1852, "nmi")
        }
    }

    package func speed(_ metresPerSecond: Double) -> (value: Double, unit: String) {
        switch self {
        case .metric: (metresPerSecond, "m/s")
        case .imperial: (metresPerSecond * 3600 / 1609.344, "mph")
        case .nautical: (metresPerSecond * 3600 / 1852, "kn")
        }
    }
}

extension TextBuffer {
    package mutating func put(length metres: Double, in units: Units) {
        let (value, unit) = units.length(metres)
        // A length below 1 can be an accuracy of centimetres, so it gets two decimals.
        put(value, decimals: value.magnitude < 1 && value != 0 ? 2 : 1, unit)
    }

    private mutating func put(_ value: Double, decimals: Int, _ unit: String) {
        put(fixed: value, decimals: decimals)
        put(UInt8(ascii: " "))
        put(unit)
    }

    /// Appends a distance, in a unit that suits its length or that of another distance.
    package mutating func put(distance metres: Double, in units: Units, inUnitOf other: Double? = nil) {
        let (large, name) = units.distance
        guard (other ?? metres).magnitude >= large / 2 else { return put(length: metres, in: units) }
        put(metres / large, decimals: 2, name)
    }

    package mutating func put(speed metresPerSecond: Double, in units: Units) {
        let (value, unit) = units.speed(metresPerSecond)
        put(value, decimals: 1, unit)
    }

    /// Appends a duration in words: `0.004 s`, `0.13 s`, `12 s`, `1 min 9 s`, `2 h 5 min`, `3 d 4 h`.
    package mutating func put(spoken duration: Duration) {
        let seconds = max(0, duration.inSeconds)
        if seconds < 9.95 {
            // Short durations have more decimals, so that they are neither zero nor equal to longer ones.
            let decimals = if seconds < 0.01 { 3 } else if seconds < 1 { 2 } else { 1 }
            put(trimmed: seconds, decimals: decimals)
            put(" s")
            return
        }
        let whole = Int(clamping: min(seconds.rounded(), 1e15))
        let (minutes, hours) = ((whole + 30) / 60, (whole + 1800) / 3600)
        let parts: [(Int, String)] =
            switch whole {
            case ..<60: [(whole, "s")]
            case ..<3600: [(whole / 60, "min"), (whole % 60, "s")]
            case _ where minutes < 1440: [(minutes / 60, "h"), (minutes % 60, "min")]
            default: [(hours / 24, "d"), (hours % 24, "h")]
            }
        for (index, (value, unit)) in parts.enumerated() where index == 0 || value > 0 {
            if index > 0 { put(UInt8(ascii: " ")) }
            put(value)
            put(" ")
            put(unit)
        }
    }
}

extension Duration {
    package var spoken: String { TextBuffer.text { $0.put(spoken: self) } }
}

package import LocationCore
package import LocwatchTerminal

/// The direction in which a receiver points and its inclination, in words.
package struct AttitudeText {
    /// The known values, the most important first.
    package let parts: [String]

    /// Creates the words; a heading from magnetic north is left out beside one from true north if `isBrief`.
    package init(_ attitude: Attitude, isBrief: Bool = false, _ glyphs: Glyphs) {
        func direction(_ degrees: Double) -> String { Self.direction(degrees, glyphs) }
        func angle(_ degrees: Double) -> String {
            TextBuffer.text {
                $0.put(fixed: degrees, decimals: 1)
                $0.put(glyphs.degree)
            }
        }
        let showsMagnetic = !isBrief || attitude.heading == nil
        parts = [
            attitude.heading.map { "heading \(direction($0))" },
            showsMagnetic
                ? attitude.headingMagnetic.map {
                    (attitude.heading == nil ? "heading " : "") + "\(direction($0)) magnetic"
                } : nil,
            attitude.pitch.map { "pitch \(angle($0))" },
            attitude.roll.map { "roll \(angle($0))" },
            attitude.rateOfTurn.map { "turn \(angle($0))/min" },
        ].compactMap(\.self)
    }

    /// Returns the heading as it is marked behind a position, from true north if that is known, or `nil` if none is.
    package static func mark(of attitude: Attitude, _ glyphs: Glyphs) -> String? {
        attitude.heading.map { "hdg \(direction($0, glyphs))" }
            ?? attitude.headingMagnetic.map { "hdg \(direction($0, glyphs)) magnetic" }
    }

    private static func direction(_ degrees: Double, _ glyphs: Glyphs) -> String {
        TextBuffer.text { $0.put(direction: degrees, glyphs) }
    }
}

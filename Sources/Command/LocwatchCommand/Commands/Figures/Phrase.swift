import LocationCore
import LocwatchPrinting
import LocwatchTerminal

/// Words with figures, which are written in the units and the glyphs of a style, as in `"\(length: ascent) up"`.
struct Phrase: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    private var parts: [(inout TextBuffer, TextStyle) -> Void] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    init(stringInterpolation: Phrase) { self = stringInterpolation }
    init(stringLiteral text: String) { appendLiteral(text) }

    mutating func appendLiteral(_ text: String) { parts.append { out, _ in out.put(text) } }
    mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
    mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }
    mutating func appendInterpolation(_ phrase: Phrase) { parts += phrase.parts }
    mutating func appendInterpolation(_ number: Double, decimals: Int) {
        parts.append { out, _ in out.put(trimmed: number, decimals: decimals) }
    }
    mutating func appendInterpolation(length metres: Double) {
        parts.append { out, style in out.put(length: metres, in: style.units) }
    }
    mutating func appendInterpolation(distance metres: Double) {
        parts.append { out, style in out.put(distance: metres, in: style.units) }
    }
    mutating func appendInterpolation(speed metresPerSecond: Double) {
        parts.append { out, style in out.put(speed: metresPerSecond, in: style.units) }
    }
    /// Appends a figure after a plus-minus sign.
    mutating func appendInterpolation(within phrase: Phrase) {
        parts.append { out, style in out.put(style.glyphs.plusMinus) }
        parts += phrase.parts
    }
    mutating func appendInterpolation(brief nanoseconds: Double) {
        parts.append { out, style in out.put(brief: nanoseconds, style.glyphs) }
    }
    mutating func appendInterpolation(scientific number: Double) {
        parts.append { out, _ in out.put(scientific: number) }
    }
    mutating func appendInterpolation(date civil: Timestamp.Civil) {
        parts.append { out, _ in out.put(date: civil) }
    }
    mutating func appendInterpolation(clock civil: Timestamp.Civil) {
        parts.append { out, _ in out.put(clock: civil) }
    }
    mutating func appendInterpolation(_ point: Coordinate) {
        parts.append { out, style in
            out.put(coordinate: point.latitude, .latitude, style)
            out.put(", ")
            out.put(coordinate: point.longitude, .longitude, style)
        }
    }

    /// Returns one phrase from several, separated by commas, without those that are `nil`.
    static func joined(_ phrases: [Phrase?]) -> Phrase {
        var joined: Phrase = ""
        for (index, phrase) in phrases.compactMap(\.self).enumerated() {
            joined = index == 0 ? phrase : "\(joined), \(phrase)"
        }
        return joined
    }

    func write(in style: TextStyle, into out: inout TextBuffer) {
        for part in parts { part(&out, style) }
    }
}

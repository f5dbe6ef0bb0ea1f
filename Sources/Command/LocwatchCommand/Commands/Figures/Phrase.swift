import LocationCore
import LocwatchPrinting
import LocwatchTerminal

/// Words with figures, which are written in the units and the glyphs of a style, as in `"\(length: ascent) up"`.
///
/// Inlined into the phrases, these functions would make the program larger by 60 kB.
struct Phrase: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    private var parts: [(inout TextBuffer, TextStyle) -> Void] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    init(stringInterpolation: Phrase) { self = stringInterpolation }
    @inline(never) init(stringLiteral text: String) { appendLiteral(text) }

    @inline(never) mutating func appendLiteral(_ text: String) { parts.append { out, _ in out.put(text) } }
    @inline(never) mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
    @inline(never) mutating func appendInterpolation(_ number: Int) { appendLiteral("\(number)") }
    @inline(never) mutating func appendInterpolation(_ phrase: Phrase) { parts += phrase.parts }
    @inline(never) mutating func appendInterpolation(_ number: Double, decimals: Int) {
        parts.append { out, _ in out.put(trimmed: number, decimals: decimals) }
    }
    @inline(never) mutating func appendInterpolation(length metres: Double) {
        parts.append { out, style in out.put(length: metres, in: style.units) }
    }
    @inline(never) mutating func appendInterpolation(distance metres: Double) {
        parts.append { out, style in out.put(distance: metres, in: style.units) }
    }
    @inline(never) mutating func appendInterpolation(speed metresPerSecond: Double) {
        parts.append { out, style in out.put(speed: metresPerSecond, in: style.units) }
    }
    /// Appends a figure after a plus-minus sign.
    @inline(never) mutating func appendInterpolation(within phrase: Phrase) {
        parts.append { out, style in out.put(style.glyphs.plusMinus) }
        parts += phrase.parts
    }
    @inline(never) mutating func appendInterpolation(brief nanoseconds: Double) {
        parts.append { out, style in out.put(brief: nanoseconds, style.glyphs) }
    }
    @inline(never) mutating func appendInterpolation(scientific number: Double) {
        parts.append { out, _ in out.put(scientific: number) }
    }
    @inline(never) mutating func appendInterpolation(date civil: Timestamp.Civil) {
        parts.append { out, _ in out.put(date: civil) }
    }
    @inline(never) mutating func appendInterpolation(clock civil: Timestamp.Civil) {
        parts.append { out, _ in out.put(clock: civil) }
    }
    @inline(never) mutating func appendInterpolation(_ point: Coordinate) {
        parts.append { out, style in
            out.put(coordinate: point.latitude, .latitude, style)
            out.put(", ")
            out.put(coordinate: point.longitude, .longitude, style)
        }
    }

    /// Returns one phrase from several, separated by commas, without those that are `nil`.
    @inline(never) static func joined(_ phrases: [Phrase?]) -> Phrase {
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

import LocationCore

/// The characters beyond ASCII in text for people, or their ASCII substitutes.
package struct Glyphs: Hashable, Sendable {
    package let plusMinus: String
    /// The separator between the parts of a line.
    package let separator: String
    /// The sign after the degrees of a direction.
    package let degree: String
    /// The sign between the degrees and the minutes of a coordinate.
    package let degreeOfAngle: String
    /// The mark for omitted text.
    let ellipsis: String
    /// The prefix of a millionth.
    package let micro: String

    package static let utf8 = Glyphs(
        plusMinus: "±", separator: "·", degree: "°", degreeOfAngle: "°", ellipsis: "…", micro: "µ")
    package static let ascii = Glyphs(
        plusMinus: "+-", separator: "-", degree: " deg", degreeOfAngle: "d", ellipsis: "...", micro: "u")
}

extension Glyphs {
    /// Creates the characters that the locale of the environment can show.
    package init(environment: [String: String]) {
        // The first non-empty variable decides, as in setlocale.
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let charset = locale.prefix { $0 != "@" }.split(separator: ".").dropFirst().first ?? ""
        let normal = charset.lowercased().filter { $0 != "-" && $0 != "_" }
        self = normal == "utf8" ? .utf8 : .ascii
    }
}

extension ColorChoice {
    /// Returns whether to use colour on a stream.
    package func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}

/// Terminal colours by purpose.
package enum Ink: String {
    case good = "32"
    case waiting = "33"
    case bad = "31"
    case faint = "2"
}

extension TextBuffer {
    package mutating func put(_ text: String, in ink: Ink, if isColored: Bool) {
        if isColored { put("\u{1B}[\(ink.rawValue)m") }
        put(text)
        if isColored { put("\u{1B}[0m") }
    }

    /// Returns the columns that the text after `start` takes on a screen.
    package func columns(from start: Int) -> Int { DisplayWidth.of(utf8: written[start...]) }
}

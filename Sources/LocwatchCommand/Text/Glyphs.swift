/// The characters beyond ASCII that text for people uses, or what stands in for them.
struct Glyphs: Hashable, Sendable {
    let plusMinus: String
    /// Stands between the parts of a line.
    let separator: String
    /// After the degrees of a direction.
    let degree: String
    /// Between the degrees and the minutes of a position.
    let degreeOfAngle: String
    /// In the place of what is left out.
    let ellipsis: String

    static let utf8 = Glyphs(plusMinus: "±", separator: "·", degree: "°", degreeOfAngle: "°", ellipsis: "…")
    static let ascii = Glyphs(plusMinus: "+-", separator: "-", degree: " deg", degreeOfAngle: "d", ellipsis: "...")

    /// What the locale of the environment can show.
    init(environment: [String: String]) {
        // The first that is set and not empty decides, as setlocale does it.
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let charset = locale.prefix { $0 != "@" }.split(separator: ".").dropFirst().first ?? ""
        let normal = charset.lowercased().filter { $0 != "-" && $0 != "_" }
        self = normal == "utf8" ? .utf8 : .ascii
    }

    private init(plusMinus: String, separator: String, degree: String, degreeOfAngle: String, ellipsis: String) {
        self.plusMinus = plusMinus
        self.separator = separator
        self.degree = degree
        self.degreeOfAngle = degreeOfAngle
        self.ellipsis = ellipsis
    }
}

extension ColorChoice {
    /// Whether to use colour on a stream.
    func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}

/// Colours of a terminal, by what they are for.
enum Ink: String {
    case good = "32"
    case waiting = "33"
    case bad = "31"
    case faint = "2"
}

extension TextBuffer {
    mutating func put(_ text: String, in ink: Ink, if isColored: Bool) {
        if isColored { put("\u{1B}[\(ink.rawValue)m") }
        put(text)
        if isColored { put("\u{1B}[0m") }
    }

    /// How many columns the text from a place on takes on a screen, where each character takes one.
    func columns(from start: Int) -> Int {
        bytes[start...].count { $0 & 0xC0 != 0x80 }
    }
}

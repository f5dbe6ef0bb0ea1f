/// A text with `%{name}` in the place of each value, such as `lat=%{lat}&lon=%{lon}`.
///
/// `%{name:.DECIMALS}` is a number with that many decimals, `%{name:LENGTH}` a code with that many characters, and `%{name|TEXT}` a
/// value in whose place a text stands if it is unknown. `%%` is a percent sign, `\t` a tab, `\n` a new line and `\\` a
/// backslash. Before anything else a percent sign and a backslash stand for themselves, because the codes of addresses
/// begin with the one, and the escapes of JSON with the other. The text is read once: `%%{lat}` is the text `%{lat}`.
package struct Template: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case escape(Escape)
        /// A value, by the index of its name, with the requested number of decimals, if any.
        case value(Int, decimals: Int?)
        /// A code of a place with a number of characters.
        case code(PlaceCode, length: Int)
        /// A figure of a position as seen from a fence, written `fence.NAME.FIGURE`, with the requested number of decimals, if any.
        case fence(String, FenceFigure, decimals: Int?)
    }

    /// A figure between a position and the centre of a fence.
    package enum FenceFigure: String, CaseIterable, Hashable, Sendable {
        case distance, bearing
    }

    /// A character that is written with a backslash; the raw value is how it is written.
    package enum Escape: String, Sendable {
        case tab = "\\t"
        case newline = "\\n"
        case backslash = "\\\\"

        package var text: String {
            switch self {
            case .tab: "\t"
            case .newline: "\n"
            case .backslash: "\\"
            }
        }
    }

    /// The parts, in order; no two texts follow each other.
    package private(set) var pieces: [Piece] = []
    /// The texts in the place of values that are unknown, by the indices of their pieces.
    package private(set) var fallbacks: [Int: String] = [:]

    /// Parses a template with the names of some values.
    package init(_ text: String, _ names: TemplateNames) throws(InvalidValue) {
        var literal = ""
        func add(_ piece: Piece) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = ""
            pieces.append(piece)
        }
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "%", rest.first == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw .unclosedBrace }
                let (value, fallback) = Self.split(String(rest[..<end].dropFirst()))
                add(try names.piece(value))
                if let fallback { fallbacks[pieces.count - 1] = fallback }
                rest = rest[end...].dropFirst()
            } else if scalar == "\\", let next = rest.first, let escape = Escape(rawValue: "\\\(next)") {
                add(.escape(escape))
                rest.removeFirst()
            } else {
                literal.unicodeScalars.append(scalar)
                if scalar == "%", rest.first == "%" { rest.removeFirst() }
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
    }

    /// Returns the value between the braces, and the text for the case that it is unknown, if any; the name of a fence can have any
    /// character.
    private static func split(_ text: String) -> (value: String, fallback: String?) {
        guard !text.hasPrefix("fence."), let bar = text.utf8.firstIndex(of: UInt8(ascii: "|"))
        else { return (text, nil) }
        return (String(text[..<bar]), String(text[text.utf8.index(after: bar)...]))
    }
}

/// The names that a kind of template has for its values.
package struct TemplateNames: Sendable {
    fileprivate static let mostDecimals = 12

    private let names: [String]
    private let numbers: Set<Int>
    private let takesPlaces: Bool

    /// Creates the names of values; those at the indices `numbers` can have a number of decimals, and with
    /// `takesPlaces` the codes of places and the figures of fences are values too.
    package init(_ names: [String], numbers: Set<Int>, takesPlaces: Bool = false) {
        self.names = names
        self.numbers = numbers
        self.takesPlaces = takesPlaces
    }

    package var sorted: [String] {
        (names + (takesPlaces ? PlaceCode.allCases.map(\.rawValue) : [])).sorted { $0.lowercased() < $1.lowercased() }
    }

    /// Parses the text between the braces: a name, optionally followed by a colon and the decimals or the length.
    fileprivate func piece(_ text: String) throws(InvalidValue) -> Template.Piece {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        if takesPlaces, let code = PlaceCode(rawValue: name) {
            return .code(code, length: try Self.length(parts, of: code))
        }
        if takesPlaces, let (fence, figure) = Self.fence(name) {
            return .fence(fence, figure, decimals: try Self.decimals(parts, of: name))
        }
        guard let index = names.firstIndex(of: name) else { throw .unknownName(name) }
        guard parts.count == 1 || numbers.contains(index) else { throw .unexpectedDecimals(of: name) }
        return .value(index, decimals: try Self.decimals(parts, of: name))
    }

    private static func fence(_ text: String) -> (name: String, figure: Template.FenceFigure)? {
        let rest = text.hasPrefix("fence.") ? text.dropFirst("fence.".count) : ""
        guard let point = rest.lastIndex(of: "."), point > rest.startIndex,
            let figure = Template.FenceFigure(rawValue: String(rest[point...].dropFirst()))
        else { return nil }
        return (String(rest[..<point]), figure)
    }

    /// Returns the length after the name of a code, or the usual one.
    private static func length(_ parts: [Substring], of code: PlaceCode) throws(InvalidValue) -> Int {
        guard parts.count == 2 else { return code.usualLength }
        guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let length = Int(parts[1]), code.lengths.contains(length)
        else { throw .length(of: code) }
        return length
    }

    /// Returns the decimals after the name of a number, if any.
    private static func decimals(_ parts: [Substring], of name: String) throws(InvalidValue) -> Int? {
        guard parts.count == 2 else { return nil }
        let digits = parts[1].dropFirst()
        guard parts[1].first == ".", digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let decimals = Int(digits),
            decimals <= Self.mostDecimals
        else { throw .decimals(of: name) }
        return decimals
    }
}

// The reasons for which a text is not a template.
extension InvalidValue {
    /// No value has the name in the braces.
    package static func unknownName(_ name: String) -> InvalidValue {
        InvalidValue("expected a known name instead of %{\(VisibleText.of(name))}", unknownName: name)
    }

    /// A `%{` has no `}`.
    package static let unclosedBrace = InvalidValue("expected a } after every %{")

    /// Decimals were requested of a value that is not a number.
    package static func unexpectedDecimals(of name: String) -> InvalidValue {
        InvalidValue("expected %{\(name)} without decimals, which it does not have")
    }

    /// The length of a code is not one that it can have.
    package static func length(of code: PlaceCode) -> InvalidValue {
        let lengths = code.lengths.sorted().map(String.init).joined(separator: ", ")
        return InvalidValue("expected %{\(code.rawValue):LENGTH} with one of the lengths \(lengths)")
    }

    /// The decimals of a number are not a point and a number up to 12.
    package static func decimals(of name: String) -> InvalidValue {
        InvalidValue(
            "expected %{\(name):.DECIMALS} with 0 to \(TemplateNames.mostDecimals) decimals, as in %{\(name):.1}")
    }
}
